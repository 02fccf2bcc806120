#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The binary interface is that of libhpt.xml by abidiff, and each kind of break is seen: all are made here.

Structs that are passed with their size may grow, and what is young may change. All else fails, additions too: they
are agreed on by renew.py.
"""
import argparse
import os
import shutil
import sys
import tempfile

import api
import dump
from tap import Tap

MAP, HLC, SLEEP, TIME, WALL = "lib/libhpt.map", *(f"include/hpt/{name}.h" for name in ("hlc", "sleep", "time", "wall"))
AT_END = (SLEEP, r"(oversleep_ns;[^\n]*\n)(\};)", r"\1uint64_t more;\n\2")
SWAPPED = (SLEEP, r"(\tuint32_t samples;[^\n]*\n)(\tuint32_t long_samples;[^\n]*\n)", r"\2\1")

YOUNG_NODE = (MAP, r"LIBHPT_YOUNG_1 \{", "LIBHPT_YOUNG_2 {")
SET_FLOOR = (r"hpt_hlc_set_floor\(hpt_hlc \*h, int64_t", "hpt_hlc_set_floor(hpt_hlc *h, int32_t")
SLEEP_NS = (r"hpt_sleep_ns\(hpt_clock \*clk, int64_t", "hpt_sleep_ns(hpt_clock *clk, int32_t")

# (what is done, edits of files, does abidiff see it). The list of the API shows each of them.
BREAKS = (
    ("a function is no longer exported", [(MAP, r"\thpt_clock_check;\n", "")], True),
    ("a function has another version",
     [(MAP, r"\thpt_clock_check;\n(.*)", r"\1LIBHPT_9 {\nglobal:\n\thpt_clock_check;\n};\n")], True),
    ("a function goes to the young node",
     [(MAP, r"\thpt_clock_check;\n(.*LIBHPT_YOUNG_1 \{\nglobal:\n)", r"\1\thpt_clock_check;\n")], True),
    ("a function is new",
     [(MAP, r"\thpt_clock_check;", r"\g<0>\n\thpt_new;"),
      (SLEEP, r"^HPT_API[\w ]* int hpt_sleep_ns", r"HPT_API int hpt_new(void);\n\g<0>"),
      ("lib/sleep/sleep.c", r"\Z", "int hpt_new(void)\n{\n\treturn 0;\n}\n")], True),
    ("a parameter has another type", [(SLEEP, *SLEEP_NS), ("lib/sleep/sleep.c", *SLEEP_NS)], True),
    ("two members of a struct change places", [SWAPPED], True),
    ("a member is narrower", [(SLEEP, r"uint64_t oversleep_ns", "uint32_t oversleep_ns")], True),
    ("a struct without a size grows", [(TIME, r"(struct hpt_timespec \{[^}]*)\}", r"\1\tint64_t more;\n}")], True),
    ("a struct grows, and two members change places", [AT_END, SWAPPED], True),
    ("a struct grows, but not at its end", [(SLEEP, r"\tuint32_t samples;", r"\tuint64_t more;\n\g<0>")], True),
    ("a constant has another value", [(SLEEP, r"(HPT_SLEEP_STRICT\s*=?\s*)2", r"\g<1>6")], False),
    ("the first size of a struct is another", [(SLEEP, r"(HPT_SLEEP_INFO_SIZE_V0\s*=?\s*)56", r"\g<1>48")], False),
    ("a young function is gone, and one that is not",
     [(MAP, r"\thpt_wall_before;\n", ""), (MAP, r"\thpt_clock_check;\n", "")], True),
)
ALLOWED = (
    ("a struct that is passed with its size grows at its end", [AT_END]),
    ("a struct of the library's own grows",
     [("lib/clock/clock.h", r"(struct hpt_clock \{[^}]*)\}", r"\1\tint more;\n}")]),
    ("a young function is gone",
     [(MAP, r"\thpt_wall_before;\n", ""), (WALL, r"^HPT_API[\w ]* \w+ hpt_wall_before\([^;]*;\n", "")]),
    ("a young function has another parameter", [(HLC, *SET_FLOOR), ("lib/wall/hlc.c", *SET_FLOOR)]),
    ("a young function is new",
     [(MAP, r"\thpt_wall_before;", r"\g<0>\n\thpt_wall_new;"),
      (WALL, r"^HPT_API[\w ]* \w+ hpt_wall_before\(", r"HPT_API int hpt_wall_new(void);\n\g<0>"),
      ("lib/wall/hlc.c", r"\Z", "int hpt_wall_new(void)\n{\n\treturn 0;\n}\n")]),
    ("two members of a young struct change places",
     [(WALL, r"(struct hpt_wall_sample \{[^}]*?)earliest_ns, latest_ns;", r"\1latest_ns, earliest_ns;")]),
    ("a young constant has another value", [(WALL, r"(HPT_WALL_SAMPLE_SIZE_V0\s*=?\s*)40", r"\g<1>44")]),
    ("the young node has the next number", [YOUNG_NODE]),
)


def judge(root, folder):
    """Returns (abidiff's report, lines that are gone from the list of the API, lines that are new in it)."""
    here = os.path.join(os.path.abspath(root), "tests/abi")
    agreed = api.read_list(os.path.join(here, "api.txt"))
    lines, complaint = api.api(folder, "gcc")
    structs = [*api.grown(agreed, lines), *api.young_structs(agreed + lines)]
    report = dump.differs(os.path.join(here, "libhpt.xml"), folder, structs)
    return (report, *api.broken(agreed, lines or [complaint]))


def changed(root, built, edits):
    with tempfile.TemporaryDirectory() as work:
        folder = os.path.join(work, "changed")
        shutil.copytree(built, folder)
        dump.change(folder, edits)
        return judge(root, folder)


def check_breaks(tap, root, built):
    for what, edits, by_abidiff in BREAKS:
        report, gone, new = changed(root, built, edits)
        tap.result(bool(report) == by_abidiff and (gone or new), f"seen: {what}",
                   (report or "abidiff sees nothing").splitlines() + gone + new)
    for what, edits in ALLOWED:
        report, gone, new = changed(root, built, edits)
        tap.result(not report and not gone and not new, f"passes: {what}", report.splitlines() + gone + new)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--breaks", action="store_true")
    args = parser.parse_args()
    why = dump.missing()
    if why:
        print(f"1..0 # SKIP {why}")
        sys.exit()
    tap = Tap()
    with tempfile.TemporaryDirectory() as work:
        built = os.path.join(work, "now")
        dump.build(args.root, built)
        report, _, _ = judge(args.root, built)
        tap.empty("the library has the interface of libhpt.xml; if it should not: tests/abi/README.md, "
                  "and python3 tests/abi/renew.py", report.splitlines())
        if args.breaks and not report:
            check_breaks(tap, args.root, built)
    tap.end()


main()
