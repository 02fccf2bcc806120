#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutants.py [--stale] [UNIT|FILE...]: break each guard once, and see a unit test fail.

tests/unit/ROOM/test_UNIT.sed holds the breaks that test_UNIT must notice, one sed expression a line. A line
"#: FILE [TEST...]" says which file those below it break, and which tests notice where it is not test_UNIT alone:
those of other units, or model-NAME of tests/model.
UNIT selects the breaks of one .sed, FILE those of one source file; without either, all are taken.
Each command of a pattern must change exactly one line of its file: --stale checks that alone, without a compiler.
Otherwise a copy of the tree is built, and each break is built and tested in it: a few seconds for each.
Exit 1: a pattern is stale, or a break was not noticed.
"""
import difflib
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join("tests", "unit")
TEST_SECONDS = 60


class Mutant:
    def __init__(self, file, unit, number, path, tests, expression):
        self.unit, self.path, self.tests, self.expression = unit, path, tests, expression
        self.where = f"{file}:{number}"

    def __str__(self):
        return f"{self.where}: {self.path}: {self.expression}"


def mutants_of(file):
    path, tests, found = None, [], []
    unit = os.path.basename(file)[len("test_"):-len(".sed")]
    with open(os.path.join(ROOT, file), encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\n")
            if line.startswith("#: "):
                path, *tests = line[3:].split()
                tests = tests or [unit]
            elif line and not line.startswith("#"):
                found.append(Mutant(file, unit, number, path, tests, line))
    return found


def broken(expression, text):
    """The text after the break, or None where sed refuses."""
    done = subprocess.run(["sed", expression], input=text, capture_output=True, text=True)
    return None if done.returncode else done.stdout


def lines_changed(before, after):
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return sum(max(b - a, d - c) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal")


def why_stale(mutant, text):
    """What is wrong with the pattern, or None."""
    if text is None:
        return "no such file"
    for command in re.split(r"(?<=/);(?=s/)", mutant.expression):
        after = broken(command, text)
        if after is None:
            return "sed refuses it"
        n = lines_changed(text, after)
        if n != 1:
            return f"changes {n} lines"
        text = after
    return None


def read(path):
    try:
        with open(path, encoding="utf-8") as f:
            return f.read()
    except OSError:
        return None


def stale(mutants):
    found = 0
    texts = {}
    for m in mutants:
        text = texts.setdefault(m.path, read(os.path.join(ROOT, m.path or "")))
        why = why_stale(m, text)
        if why:
            found += 1
            print(f"{m}: {why}")
    return found


class Copy:
    """A copy of the tree with the unit tests alone, built."""

    def __init__(self, folder):
        self.folder, self.build = folder, os.path.join(folder, "build")
        parts = ["meson.build", "meson_options.txt", "include", "lib", "tools", "tests/meson.build", "tests/unit",
                 "tests/model"]
        tar = subprocess.run(["tar", "cf", "-", *parts], cwd=ROOT, stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "xf", "-"], cwd=folder, input=tar.stdout, check=True)
        self.edit("meson.build", r"(?m)^ *subdir\('(pkgconfig|packaging/(cmake|onefile|site|valgrind)|man)'\)\n", "")
        self.edit("meson.build", r"(?s)^summary\(.*", "", re.M)
        self.edit("tests/meson.build", r"(?m)^subdir\('(?!unit'|model').*\n", "")
        self.must(["meson", "setup", self.build, folder, "-Ddefault_library=static"])
        self.must(["ninja", "-C", self.build])

    def edit(self, path, pattern, to, flags=0):
        path = os.path.join(self.folder, path)
        text = re.sub(pattern, to, read(path), flags=flags)
        self.write(path, text)

    @staticmethod
    def write(path, text):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def must(self, command):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            sys.exit(done.stdout[-4000:] + done.stderr[-4000:])

    def failures(self, tests):
        """The tests that fail now, or None where they do not build."""
        programs = ["tests/model/" + t if t.startswith("model-") else "tests/unit/test_" + t for t in tests]
        if subprocess.run(["ninja", "-C", self.build, *programs], capture_output=True).returncode:
            return None
        found = set()
        for program in programs:
            try:
                done = subprocess.run([os.path.join(self.build, program)], capture_output=True, text=True,
                                      errors="replace", timeout=TEST_SECONDS,
                                      env={**os.environ, "CMOCKA_MESSAGE_OUTPUT": "TAP"})
            except subprocess.TimeoutExpired:
                found.add(program + " did not end")
                continue
            failed = [line for line in done.stdout.splitlines() if line.startswith("not ok")]
            found.update(failed)
            if done.returncode < 0:
                found.add(f"{program} died of signal {-done.returncode}")
            elif done.returncode and not failed:  # an assertion in a thread of the test's own ends the program
                found.add(f"{program} ended with {done.returncode}")
        return found

    def verdict(self, mutant):
        """(killed, sentence)"""
        path = os.path.join(self.folder, mutant.path)
        before = self.failures(mutant.tests)
        text = read(path)
        self.write(path, broken(mutant.expression, text))
        now = self.failures(mutant.tests)
        self.write(path, text)
        if now is None:
            return False, "NO BUILD"
        new = sorted(now - (before or set()))
        return (True, "killed   " + new[0]) if new else (False, "SURVIVED")


def chosen(wanted):
    """The mutants of these units and files; of all where there are none."""
    files = sorted(glob.glob(os.path.join(FOLDER, "*", "test_*.sed"), root_dir=ROOT))
    mutants = [m for f in files for m in mutants_of(f)]
    units = {m.unit for m in mutants}
    for word in wanted:
        if word not in units and word not in {m.path for m in mutants}:
            sys.exit(f"mutants.py: no mutants of {word}; there are those of: {' '.join(sorted(units))}")
    return [m for m in mutants if not wanted or m.unit in wanted or m.path in wanted]


def main():
    args = sys.argv[1:]
    only_stale = "--stale" in args
    mutants = chosen([a for a in args if a != "--stale"])
    bad = stale(mutants)
    if not only_stale and not bad:
        with tempfile.TemporaryDirectory() as folder:
            copy = Copy(folder)
            for m in mutants:
                killed, what = copy.verdict(m)
                bad += not killed
                print(f"{what} {m}", flush=True)
    print(f"{len(mutants)} mutants, {bad} {'stale' if only_stale else 'stale or alive'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
