#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
cookbook_page.py [--renew]: has man/hpt_cookbook.7 the programs of examples/cookbook, as they are? Exit 1 if not.

The page names a program by a comment ".\" FILE" before a literal block. --renew puts the programs into these blocks.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COOKBOOK = ROOT / "examples/cookbook"
PAGE = ROOT / "man/hpt_cookbook.7"
BLOCK = re.compile(r'(^\.\\" (\w+\.\w+)\n\.Bd -literal\n)(.*?)(^\.Ed$)', re.M | re.S)


def escaped(text):
    """Text that mandoc and groff show as it is."""
    text = text.replace("\\", "\\e")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.M)


def code_of(name):
    """A program without its licence: the first comment says how it is made, and what its arguments mean."""
    return (COOKBOOK / name).read_text(encoding="utf-8").split("\n", 1)[1]


def renewed(page):
    return BLOCK.sub(lambda block: block[1] + escaped(code_of(block[2])) + block[4], page)


def main():
    page = PAGE.read_text(encoding="utf-8")
    programs = sorted(path.name for path in COOKBOOK.iterdir() if path.suffix in (".c", ".cpp", ".py", ".rs"))
    named = sorted(block[2] for block in BLOCK.finditer(page))
    if named != programs:
        sys.exit(f"{PAGE.name} has the programs {named}, examples/cookbook has {programs}")
    if sys.argv[1:] == ["--renew"]:
        PAGE.write_text(renewed(page), encoding="utf-8")
    elif sys.argv[1:]:
        sys.exit("usage: cookbook_page.py [--renew]")
    elif renewed(page) != page:
        sys.exit(f"{PAGE.name} has other programs than examples/cookbook: cookbook_page.py --renew puts them into it")


main()
