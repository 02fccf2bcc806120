#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tests of hpt.hpp by each C++ compiler and each standard, with strict warnings, as two units of one program: they
compile, link and pass. A compiler that is missing, or does not know a standard, is skipped."""
import argparse
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

from tap import Tap

HERE = pathlib.Path(__file__).resolve().parent
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
STANDARDS = [["c++11"], ["c++14"], ["c++17"], ["c++20", "c++2a"], ["c++23", "c++2b"]]
USELESS = "-Wuseless-cast"  # GCC has it, clang has not
HEADERS = "#include <hpt/highpertimer.hpp>\n#include <hpt/hpt.hpp>\n#include <hpt/system.hpp>\n" \
          "#include <hpt/wait.hpp>\n#include <hpt/wall.hpp>\n"
NO_EXCEPTIONS = HEADERS + "int main() { hpt::sleeper s; return s.sleep_for(hpt::nanoseconds(1)) > " \
                "hpt::wake::disrupted || hpt::timer::now() + std::chrono::seconds(1) < hpt::timer::now(); }\n"


def run(command, text=None):
    return subprocess.run([str(word) for word in command], input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, check=False)


def known(command, names):
    """The first of the standard's names that this compiler accepts."""
    for name in names:
        if run(command + [f"-std={name}", "-x", "c++", "-fsyntax-only", "-"], "").returncode == 0:
            return name
    return None


def compilers(first):
    """The build's own compiler and the two that the header is made for, each once."""
    found = {}
    for command in [shlex.split(first), ["g++"], ["clang++"]]:
        path = shutil.which(command[0])
        if path:
            found.setdefault((str(pathlib.Path(path).resolve()), *command[1:]), command)
    return list(found.values())


def check_whole(tap, command, standard, args, folder):
    """Compiles, links and runs all tests."""
    flags = [f"-std={standard}", *STRICT, "-pthread", "-I", args.include]
    program = pathlib.Path(folder, "whole")
    name = f"{' '.join(command)} {standard}"
    done = run([*command, *flags, HERE / "whole.cc", HERE / "main.cc", args.library, "-o", program,
                f"-Wl,-rpath,{args.library.parent}"])
    tap.result(done.returncode == 0, f"{name}: compiles", done.stdout.splitlines())
    if done.returncode == 0:
        done = run([program])
        tap.result(done.returncode == 0 and "not ok" not in done.stdout, f"{name}: passes", done.stdout.splitlines())


def check_without_exceptions(tap, command, args, folder):
    source = pathlib.Path(folder, "without.cc")
    source.write_text(NO_EXCEPTIONS, encoding="utf-8")
    done = run([*command, "-std=c++11", "-fno-exceptions", "-fno-rtti", *STRICT, "-fsyntax-only", "-I", args.include,
                source])
    tap.result(done.returncode == 0, f"{' '.join(command)} -fno-exceptions -fno-rtti", done.stdout.splitlines())


def check_casts(tap, command, args):
    """The headers alone: a program's own flags may warn of what they contain."""
    probe = [*command, "-Werror", USELESS, "-fsyntax-only", "-x", "c++", "-"]
    if run(probe, "").returncode:
        tap.skip(f"{' '.join(command)} {USELESS}", "the compiler does not know it")
        return
    done = run([*probe, "-std=c++11", "-I", args.include], HEADERS)
    tap.result(done.returncode == 0, f"{' '.join(command)} {USELESS}", done.stdout.splitlines())


def main():
    parser = argparse.ArgumentParser()
    for name in ("--include", "--library", "--cxx"):
        parser.add_argument(name, required=True)
    args = parser.parse_args()
    args.library = pathlib.Path(args.library).resolve()
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        for command in compilers(args.cxx):
            for names in STANDARDS:
                standard = known(command, names)
                if standard or names == STANDARDS[0]:  # C++11 is no choice: without it a compiler does not work
                    check_whole(tap, command, standard or names[0], args, folder)
                else:
                    tap.skip(f"{' '.join(command)} {names[0]}", "the compiler does not know it")
            check_without_exceptions(tap, command, args, folder)
            check_casts(tap, command, args)
    for name in ("g++", "clang++"):
        if not shutil.which(name):
            tap.skip(name, "not installed")
    tap.end()


if __name__ == "__main__":
    sys.exit(main())
