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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--include", required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--cxx", default="")
    args = parser.parse_args()
    tap = Tap()
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
