#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
coverage.py [BUILD]: how many lines of each room of lib/ the unit tests run.

Builds all of it by gcc for coverage in BUILD, which is kept, or in a folder of its own. A line counts once, as run if
it ran in one of the library's builds for the tests; the files that no unit test links count too. Last line: the total,
in per cent. Exit 1: a test failed.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, stdin=subprocess.DEVNULL, **more)


def build(folder):
    if not (folder / "build.ninja").exists():
        run("meson", "setup", folder, ROOT, "-Db_coverage=true", "-Dtools=disabled", "-Dman=disabled",
            "-Dtests=enabled", env={**os.environ, "CC": "gcc", "CXX": "g++"}, stdout=subprocess.DEVNULL)
    for data in folder.rglob("*.gcda"):
        data.unlink()
    run("meson", "test", "-C", folder, "--suite", "unit", "--quiet", "--print-errorlogs", "--timeout-multiplier", "5")


def reports(folder):
    """What gcov says of each object, also of those that no test links."""
    found = sorted(folder.rglob("*.gcno"))
    for first in range(0, len(found), 50):
        done = run("gcov", "--json-format", "--stdout", *found[first:first + 50], cwd=folder, stdout=subprocess.PIPE,
                   stderr=subprocess.DEVNULL)
        for line in done.stdout.splitlines():
            yield from json.loads(line)["files"]


def lines_of_rooms(folder):
    """{room: {(file, line): it ran}}"""
    rooms = collections.defaultdict(lambda: collections.defaultdict(bool))
    for report in reports(folder):
        path = pathlib.Path(os.path.normpath(folder / report["file"]))
        if path.is_relative_to(ROOT / "lib"):
            room = path.relative_to(ROOT / "lib").parts[0]
            for line in report["lines"]:
                rooms[room][path, line["line_number"]] |= line["count"] > 0
    return rooms


def print_row(name, ran):
    print(f"{name:10} {sum(ran):6} of {len(ran):6}   {100 * sum(ran) / len(ran):5.1f} %")


def main():
    with tempfile.TemporaryDirectory(prefix="hpt-coverage-") as scratch:
        folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else scratch).resolve()
        try:
            build(folder)
            rooms = lines_of_rooms(folder)
        except subprocess.CalledProcessError as error:
            sys.exit(f"coverage.py: {error}")
    for room, lines in sorted(rooms.items()):
        print_row(room, list(lines.values()))
    print_row("lib", [ran for lines in rooms.values() for ran in lines.values()])


if __name__ == "__main__":
    main()
