#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the library, the command and the object of "hpt run" are hardened with, read from the files themselves."""
import argparse
import pathlib
import re
import shlex
import shutil
import tempfile

from project import Check, skip

MARK = "IBT, SHSTK"


def facts(check, path):
    """All that readelf shows of a file: segments, dynamic entries, notes and symbols"""
    return check.run(["readelf", "-W", "-h", "-l", "-d", "-n", "--dyn-syms", path]).stdout


def marks(check, cc):
    """Does the linker mark a program as protected? All it is made of has to be, libc's start files too."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "empty.c"), pathlib.Path(folder, "empty")
        source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
        check.run([*cc, "-fcf-protection", source, "-o", program])
        return program.exists() and MARK in facts(check, program)


def check_segments(check, name, text):
    check.result(re.search(r"^ +GNU_RELRO ", text, flags=re.M), f"{name}: tables are read-only after load (relro)")
    check.result("BIND_NOW" in text or re.search(r"FLAGS_1\).*\bNOW", text), f"{name}: all symbols are bound at load")
    stack = re.search(r"^ +GNU_STACK .* (RWE?) ", text, flags=re.M)
    check.result(stack and stack[1] == "RW", f"{name}: no code on the stack")
    check.result("TEXTREL" not in text, f"{name}: no code is changed at load (text relocations)")


def check_object(check, name, path, args):
    """The library has no start files of libc's."""
    text = facts(check, path)
    check_segments(check, name, text)
    if args.protected:
        check.result("__stack_chk_fail" in text, f"{name}: stack protector")
        check.equal(f"{name}: a process with it keeps its shadow stack, where the linker can mark it",
                    re.search(r"x86 feature:.* SHSTK", text) is not None, path == args.library or marks(check, args.cc))


def check_command(check, path, args):
    name = pathlib.Path(path).name
    text = facts(check, path)
    check_segments(check, name, text)
    check.result(re.search(r"Type: +DYN", text) and "PIE" in text, f"{name}: at any address (PIE)")
    check.result("__stack_chk_fail" in text, f"{name}: stack protector")
    if args.fortified:
        check.result(re.search(r"__\w+_chk\b(?<!__stack_chk)", text),
                     f"{name}: checked calls of libc (_FORTIFY_SOURCE)")
    check.equal(f"{name}: control-flow protection where the linker can mark programs", MARK in text,
                marks(check, args.cc))


def main():
    parser = argparse.ArgumentParser()
    for name in ("library", "preload"):
        parser.add_argument("--" + name)
    parser.add_argument("--command", action="append", default=[])
    parser.add_argument("--fortified", action="store_true")
    parser.add_argument("--protected", action="store_true", help="on x86: the library and the object of hpt run")
    parser.add_argument("--cc", required=True, type=shlex.split)
    args = parser.parse_args()
    if not shutil.which("readelf"):
        skip("no readelf")
    check = Check()
    if args.library:
        check_object(check, "libhpt.so", args.library, args)
    if args.preload:
        check_object(check, "libhpt-preload.so", args.preload, args)
    for path in args.command:
        check_command(check, path, args)
    check.finish()


main()
