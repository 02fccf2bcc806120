#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each public header compiles alone, as strict C99, C11 and C++11, with every compiler installed here."""
import argparse
import os
import shlex
import shutil
import subprocess
import tempfile

from tap import Tap

STRICT = ["-pedantic-errors", "-Wall", "-Wextra", "-Werror"]
C_STRICT = ["-Wstrict-prototypes"]


def compilers(first, others):
    """Returns the build's own compiler, then the other installed ones, each once."""
    found = {}
    for command in [first] + list(others):
        words = shlex.split(command)
        path = words and shutil.which(words[0])
        if path:
            found.setdefault(" ".join([os.path.realpath(path)] + words[1:]), words)
    return list(found.values())


def compile_alone(tap, command, standard, header, include, suffix, extra):
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "alone" + suffix)
        with open(source, "w", encoding="utf-8") as f:
            # Included twice, to test the include guard. The declaration is there since strict C forbids an empty file.
            f.write(f"#include <{header}>\n#include <{header}>\nint alone(void);\n")
        done = subprocess.run(command + [f"-std={standard}", "-fsyntax-only", "-I", include, source] + STRICT + extra,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    tap.result(done.returncode == 0, f"{header} {standard} {' '.join(command)}", done.stdout.splitlines())


def compile_text(command, text, suffix, include, options):
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "text" + suffix)
        with open(source, "w", encoding="utf-8") as f:
            f.write("#include <hpt/hpt.h>\n" + text)
        return subprocess.run(command + ["-I", include, source, "-S", "-o", "-"] + options, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, check=False)


def check_lost_result(tap, command, include):
    """A result that decides whether there is an output cannot be ignored unseen; that of a sleep can."""
    def compiles(call):
        text = f"void f(hpt_clock *clk) {{ hpt_clock *out; int64_t ns; (void)&out; (void)&ns; {call}; }}\n"
        return compile_text(command, text, ".c", include, ["-Wall", "-Werror=unused-result"]).returncode == 0

    tap.result(compiles("hpt_sleep_ns(clk, 1)") and not compiles("hpt_clock_open(1, 0, &out)")
               and not compiles("hpt_time_to_unix_ns(clk, 1, &ns)"),
               f"a lost result is warned of by {' '.join(command)}")


def check_nothrow(tap, command, include):
    """No call of the library needs a landing pad."""
    text = "struct s { ~s(); };\nint f() { s local; return hpt_now(nullptr) > 0 && %s; }\n"
    done = compile_text(command, text % "hpt_sleep_ns(nullptr, 1)", ".cc", include, ["-O1", "-std=c++11"])
    other = compile_text(command, "int g();\n" + text % "g()", ".cc", include, ["-O1", "-std=c++11"])
    tap.result(done.returncode == 0 and "personality" in other.stdout and "personality" not in done.stdout,
               f"no landing pads by {' '.join(command)}", done.stdout.splitlines()[:20])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--include", required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--cxx", default="")
    args = parser.parse_args()
    tap = Tap()
    for command in compilers(args.cc, ("gcc", "clang")):
        check_lost_result(tap, command, args.include)
    for command in compilers(args.cxx, ("g++", "clang++")):
        check_nothrow(tap, command, args.include)
    for header in sorted("hpt/" + name for name in os.listdir(os.path.join(args.include, "hpt"))
                         if name.endswith(".h")):
        for command in compilers(args.cc, ("gcc", "clang")):
            for standard in ("c99", "c11"):
                compile_alone(tap, command, standard, header, args.include, ".c", C_STRICT)
        cxx = compilers(args.cxx, ("g++", "clang++"))
        for command in cxx:
            compile_alone(tap, command, "c++11", header, args.include, ".cc", [])
        if not cxx:
            tap.skip(f"{header} c++11", "no C++ compiler")
    tap.end()


main()
