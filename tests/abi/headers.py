# SPDX-License-Identifier: MIT
"""What the text of the public headers and of the version script declares."""
import re


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def struct_members(header):
    """Returns (struct, member) for each member of each struct, in order."""
    members = []
    for struct, body in re.findall(r"^struct (\w+) \{\n(.*?)^\};", header, flags=re.M | re.S):
        for declaration in without_comments(body).split(";"):
            words = declaration.split(None, 1)
            if len(words) == 2:
                members += [(struct, re.sub(r"\[.*?\]", "", m).strip()) for m in words[1].split(",")]
    return members


def numeric_constants(header):
    """Returns the names of the constants with a number: members of enums, and versions."""
    return re.findall(r"^(?:enum \{ |\t|#define )(HPT_\w+) +(?:= )?\d", header, flags=re.M)


def prototypes(header):
    """Returns (function, its prototype on one line) for each after HPT_API or HPT_API_CHECKED."""
    pattern = r"^HPT_API(?:_CHECKED)?(?: HPT_NOPLT)?\s([^;(]*?\b(\w+)\s*\([^;]*)"
    found = re.findall(pattern, without_comments(header), flags=re.M)
    return [(name, " ".join(text.split())) for text, name in found]


def map_nodes(text):
    """Returns function -> version node."""
    nodes = {}
    for node, body in re.findall(r"^(\w[\w.]*)\s*\{(.*?)^\}", without_comments(text), flags=re.M | re.S):
        exported = re.search(r"global:(.*?)(?:local:|\Z)", body, flags=re.S)
        if exported:
            nodes.update((name, node) for name in re.findall(r"[\w*?]+(?=\s*;)", exported.group(1)))
    return nodes
