# SPDX-License-Identifier: MIT
"""What a compiler makes of the public structs and constants. Nothing is run: the numbers are read from its assembly."""
import os
import re
import subprocess

from headers import numeric_constants, struct_members


def header_names(include):
    return sorted(f for f in os.listdir(os.path.join(include, "hpt")) if f.endswith(".h"))


def read_headers(include):
    text = ""
    for name in header_names(include):
        with open(os.path.join(include, "hpt", name), encoding="utf-8") as f:
            text += f.read()
    return text


def compile_text(command, include, text):
    """Returns (assembly, complaint), one of which is empty."""
    done = subprocess.run(command + ["-std=gnu11", "-I", include, "-x", "c", "-", "-S", "-o", "-"], input=text,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False)
    return (done.stdout, "") if done.returncode == 0 else ("", done.stderr or "failed")


def questions(header):
    """Returns (name, C expression) pairs. Not alignments: i686 aligns 64 bits to 4 bytes, which moves no member."""
    asked = []
    members = struct_members(header)
    for struct in sorted({struct for struct, _ in members}):
        asked += [(f"sizeof({struct})", f"sizeof(struct {struct})")]
    for struct, member in members:
        asked += [(f"{struct}.{member} at", f"offsetof(struct {struct}, {member})"),
                  (f"{struct}.{member} size", f"sizeof(((struct {struct} *)0)->{member})")]
    for name in numeric_constants(header):
        asked += [(f"{name} value", f"(uint32_t){name}"), (f"{name} size", f"sizeof({name})"),
                  (f"{name} is signed", f"(__typeof__({name}))-1 < 0")]
    return asked


def layout(command, include, asked):
    """Returns ({name: number}, complaint)."""
    lines = [f'__asm__("# layout {number} is %0" : : "i"({value}));' for number, (_, value) in enumerate(asked)]
    # The young headers are in no other one.
    includes = "".join(f"#include <hpt/{name}>\n" for name in header_names(include))
    text = "%s#include <stddef.h>\nvoid f(void);\nvoid f(void)\n{\n%s\n}\n" % (includes, "\n".join(lines))
    assembly, complaint = compile_text(command, include, text)
    found = re.findall(r"# layout (\d+) is [#$]?(-?\d+)", assembly)
    return {asked[int(number)][0]: int(value) for number, value in found}, complaint
