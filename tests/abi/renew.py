#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
renew.py [--break]: takes the interface as it is now for the agreed one, in api.txt and libhpt.xml: README.md.

What breaks programs is refused unless the soname is new. --break takes it: before the release that has it first.
"""
import os
import sys
import tempfile

import api
import dump

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")


def write(name, text):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as f:
        f.write(text)
    print(f"tests/abi/{name}: {len(text.splitlines())} lines")


def soname(lines):
    return [line for line in lines if line.startswith("HPT_ABI_MAJOR ")]


def refuse_breaks(lines):
    agreed = api.read_list(os.path.join(HERE, "api.txt"))
    gone, _ = api.broken(agreed, lines)
    if gone and soname(agreed) == soname(lines):
        listed = "\n  ".join(gone)
        sys.exit(f"renew.py: this breaks programs, and the soname is the same:\n  {listed}\n"
                 "renew.py --break takes what no release has yet.")


def main():
    if sys.argv[1:] not in ([], ["--break"]):
        sys.exit("usage: renew.py [--break]")
    why = dump.missing()
    lines, complaint = ([], why) if why else api.api(ROOT, "gcc")
    if complaint:
        sys.exit(f"renew.py: {complaint}")
    if not sys.argv[1:]:
        refuse_breaks(lines)
    with tempfile.TemporaryDirectory() as folder:
        dump.build(ROOT, folder)
        text = dump.describe(folder)
    write("api.txt", api.HEADING + "\n".join(lines) + "\n")
    write("libhpt.xml", text)


main()
