#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""renew.py: takes the interface as it is now for the agreed one, in api.txt and libhpt.xml: README.md."""
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


def main():
    why = dump.missing()
    lines, complaint = ([], why) if why else api.api(ROOT, "gcc")
    if complaint:
        sys.exit(f"renew.py: {complaint}")
    with tempfile.TemporaryDirectory() as folder:
        dump.build(ROOT, folder)
        text = dump.describe(folder)
    write("api.txt", api.HEADING + "\n".join(lines) + "\n")
    write("libhpt.xml", text)


main()
