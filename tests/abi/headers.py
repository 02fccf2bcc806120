# SPDX-License-Identifier: MIT
"""What the text of the public headers declares."""
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
    """Returns the names of the constants with a number."""
    return re.findall(r"^#define (HPT_\w+)\s+\(?-?(?:0x)?\d", header, flags=re.M)
