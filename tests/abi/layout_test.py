#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Public structs and constants are the same for every compiler here, for whatever processor: no padding, no long."""
import argparse
import ast
import configparser
import os
import re
import shlex
import shutil

from headers import struct_members, without_comments
from layout import compile_text, layout, questions, read_headers
from tap import Tap

# Types whose size depends on the processor or the C library, and enumerations but for those without a name: constants.
VARYING = re.compile(r"\b(?:long|time_t|suseconds_t|off_t|wchar_t|struct timespec|struct timeval|enum\s+\w+|"
                     r"_?[Bb]ool)\b")


def cross_compilers(folder):
    """Returns name -> command of the cross files."""
    found = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".ini"):
            parser = configparser.ConfigParser()
            parser.read(os.path.join(folder, name))
            command = ast.literal_eval(parser["binaries"]["c"])
            found[name[:-4]] = [command] if isinstance(command, str) else command
    return found


def padding(members, table):
    """Returns the gaps between members and after the last."""
    gaps, end = [], {}
    for struct, member in members:
        at = table[f"{struct}.{member} at"]
        if at != end.get(struct, 0):
            gaps.append(f"{struct}: a gap before {member}")
        end[struct] = at + table[f"{struct}.{member} size"]
    return gaps + [f"{struct}: a gap at the end" for struct, size in end.items() if size != table[f"sizeof({struct})"]]


def differences(first, other):
    return [f"{name}: {first.get(name)} and {other.get(name)}" for name in sorted(first.keys() | other.keys())
            if first.get(name) != other.get(name)]


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("include", "cross", "cc"):
        parser.add_argument("--" + name, required=True)
    return parser.parse_args()


def main():
    args = arguments()
    tap = Tap()
    header = read_headers(args.include)
    asked = questions(header)
    first, complaint = layout(shlex.split(args.cc), args.include, asked)
    tap.result(asked and len(first) == len(asked), "this build's compiler answers all", complaint.splitlines())
    tap.empty("no type that depends on the processor is in the headers",
              sorted(set(VARYING.findall(without_comments(header)))))
    if len(first) == len(asked):
        tap.empty("no struct has padding", padding(struct_members(header), first))
        tap.empty("every constant has 32 bits", [name for name, value in first.items()
                                                 if re.match(r"HPT_\w+ size", name) and value != 4])
    for name, command in cross_compilers(args.cross).items():
        if not shutil.which(command[0]) or compile_text(command, args.include, "#include <stdint.h>\n")[1]:
            tap.skip(f"the same layouts for {name}", f"no {' '.join(command[:2])} here")
            continue
        table, complaint = layout(command, args.include, asked)
        tap.empty(f"the same layouts for {name}", complaint.splitlines() or differences(first, table))
    tap.end()


main()
