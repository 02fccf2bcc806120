#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
languages.py measures each language whose toolchain is here, and says why the others are missing. One short round: the
figures are not judged. The arguments are those of tests/consumer/consumer_test.py.
"""
import pathlib
import re
import shutil
import sys
import tempfile

from examples_lab import examples
from examples_test import find_java, laboratory

HERE = pathlib.Path(__file__).resolve().parent
FIGURE = r"-?\d+(?:\.\d+)?"
LATE = rf"{FIGURE} \({FIGURE}\)"
ROW = re.compile(rf"^\| ([^|]+) \| [^|]+ \| `[^|]+` \| {FIGURE} -> {FIGURE} \| {LATE} -> {LATE} \|$", re.M)
NAMES = ["C", "C++", "Python", "Rust", "Go", "Java", "Node", "LuaJIT"]


def needed(java):
    """The languages that must have a row here. Python and Rust also need what is in their package indexes."""
    compiled = [name for name, command in (("C", "cc"), ("C++", "c++")) if shutil.which(command)]
    return compiled + [example.language for example in examples(java) if not example.why_not]


def check_rows(lab, done, java):
    rows = ROW.findall(done.stdout)
    reasons = dict(re.findall(r"^languages: ([^:]+): (.+)$", done.stderr, re.M))
    lab.expect(done, done.returncode == 0, "languages.py")
    lab.equal("a row or a reason for each language", sorted(rows + list(reasons)), sorted(NAMES))
    lab.equal("no row is missing", [name for name in needed(java) if name not in rows], [])
    lab.equal("the rows are in order", rows, [name for name in NAMES if name in rows])
    lab.equal("each row has its spread", re.findall(r"^- ([^:]+): .* us\.$", done.stdout, re.M), rows)
    for name, why in reasons.items():
        lab.skip(name, why)


def main():
    with tempfile.TemporaryDirectory(prefix="hpt-languages-") as folder:
        lab = laboratory(folder)
        java = find_java(lab)
        script = [sys.executable, "-B", HERE / "languages.py"]
        check_rows(lab, lab.execute([*script, "--rounds", "1", "--java", java], folder, limit=None), java)
        for words in (["--rounds", "0"], ["--only", "Cobol"], ["more"]):
            done = lab.execute([*script, *words], folder)
            lab.expect(done, done.returncode and done.stderr and not done.stdout, f"refused: {' '.join(words)}")
        lab.finish()


main()
