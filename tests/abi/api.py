# SPDX-License-Identifier: MIT
"""The list of all that a program may rely on: functions, types, structs and constants of the headers, one a line.

api.txt is this list as it was agreed on. It is text so that a person reads in a diff what a change means to programs.
"""
import difflib
import os
import re
import shlex

from headers import map_nodes, numeric_constants, prototypes, without_comments
from layout import layout, questions, read_headers

HEADING = """\
# The API of libhpt, made by tests/abi/renew.py and compared by the tests "api" and "abidiff": tests/abi/README.md.
# Functions have their version node; members their offset, and structs that never grow their size. All that is young
# may change: functions of the young node, and lines that say so.
"""
# Not in the promise of 1.x.
YOUNG_HEADERS = ("hlc.h", "mmio.h", "system.h", "wait.h", "wall.h")


def functions(header, nodes):
    """A function without a version node is not exported, which is a line of its own."""
    declared = dict(prototypes(header))
    return sorted(f"{declared.get(name, name + ' is not in the headers')}; {nodes.get(name, 'in no version node')}"
                  for name in declared.keys() | nodes.keys())


def types(header):
    found = re.findall(r"^typedef [^;]*;", without_comments(header), flags=re.M)
    return sorted(" ".join(text.split()) for text in found)


def structs(header, table):
    """Structs that are passed with their size have a constant NAME_SIZE_V0 and may grow. The others have one size."""
    for name, body in re.findall(r"^struct (\w+) \{\n(.*?)^\};", header, flags=re.M | re.S):
        sized = re.search(rf"\b{name.upper()}_SIZE_V0\b", header)
        yield f"struct {name}: " + ("grows at its end" if sized else f"{table[f'sizeof({name})']} bytes, never more")
        for declaration in without_comments(body).split(";"):
            kind, _, members = " ".join(declaration.split()).partition(" ")
            for member in filter(None, members.split(", ")):
                at = table[f"{name}.{member.partition('[')[0]} at"]
                yield f"struct {name} at {at:3}: {kind} {member}"


def constants(table):
    """A release changes its own number; all other constants stay."""
    for key, value in table.items():
        found = re.fullmatch(r"(HPT_\w+) value", key)
        if found and not found.group(1).startswith("HPT_VERSION_"):
            signed = table[f"{found.group(1)} is signed"]
            yield f"{found.group(1)} {value - (value >> 31 << 32) if signed else f'{value}u'}"


def young_names(include):
    """Returns the structs and constants of the young headers, and their typedefs as lines."""
    paths = [os.path.join(include, "hpt", name) for name in YOUNG_HEADERS]
    header = ""
    for path in filter(os.path.exists, paths):
        with open(path, encoding="utf-8") as f:
            header += f.read()
    return {*re.findall(r"^struct (\w+) \{", header, flags=re.M), *numeric_constants(header), *types(header)}


def marked(line, young):
    """A line of a type, a struct, a member or a constant says that it is young."""
    name = re.match(r"(?:struct )?(\w+)", line).group(1)
    return f"{line.rstrip(';')}; young" if name in young or line in young else line


def is_young(line):
    return bool(re.search(r"; (young|LIBHPT_YOUNG_\d+)$", line))


def api(root, compiler):
    """Returns (lines, complaint of the compiler)."""
    include = os.path.join(root, "include")
    header = read_headers(include)
    with open(os.path.join(root, "lib/libhpt.map"), encoding="utf-8") as f:
        nodes = map_nodes(f.read())
    asked = questions(header)
    table, complaint = layout(shlex.split(compiler), include, asked)
    if len(table) != len(asked):
        return [], complaint or "the compiler's assembly is not understood"
    others = types(header) + list(structs(header, table)) + sorted(constants(table))
    young = young_names(include)
    return functions(header, nodes) + [marked(line, young) for line in others], ""


def young_structs(lines):
    return sorted({line.split()[1].rstrip(":") for line in lines if line.startswith("struct ") and is_young(line)})


def mixed(lines):
    """Returns the functions that have to stay and name a type that may change."""
    young = {word for line in lines if line.endswith("; young") and line.startswith(("struct ", "typedef "))
             for word in re.findall(r"\bhpt_\w+", line.partition(" at ")[0])}
    return [line for line in lines if "(" in line and not line.startswith("typedef ") and not is_young(line)
            and young & set(re.findall(r"\w+", line))]


def read_list(path):
    with open(path, encoding="utf-8") as f:
        return [line for line in f.read().splitlines() if line and not line.startswith("#")]


def changes(old, new):
    """Returns (lines that are gone, lines that are new). Their order means nothing."""
    delta = list(difflib.ndiff(sorted(old), sorted(new)))
    return [line[2:] for line in delta if line.startswith("- ")], [line[2:] for line in delta if line.startswith("+ ")]


def broken(old, new):
    """Returns (lines that are gone, lines that are new), without those that may change: a struct grows, or is young."""
    gone, more = changes(old, new)
    members = tuple(f"struct {name} at " for name in grown(old, new))
    return ([line for line in gone if not is_young(line)],
            [line for line in more if not is_young(line) and not line.startswith(members)])


def grown(old, new):
    """Returns the structs that are passed with their size and have more members than before, all after the old ones."""
    for heading in old:
        name = heading.partition(":")[0]
        if heading.endswith(": grows at its end") and heading in new:
            before, after = ([line for line in lines if line.startswith(f"{name} at ")] for lines in (old, new))
            if len(after) > len(before) and after[:len(before)] == before:
                yield name.partition(" ")[2]
