#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generators of bindings take the headers: each function and each constant, and what they make calls the library.

bindgen, SWIG and CastXML read the headers as they are; cffi, LuaJIT and PHP FFI what the preprocessor leaves of them
where HPT_API and HPT_API_CHECKED are empty. A tool that is not here is skipped.
"""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from headers import numeric_constants, prototypes
from layout import header_names, read_headers
from tap import Tap

ALONE = ["-DHPT_API=", "-DHPT_API_CHECKED="]


def run(command, **options):
    """Returns (output, complaint), one of which is empty."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False,
                          **options)
    return (done.stdout, "") if done.returncode == 0 else ("", done.stderr or f"status {done.returncode}")


class Headers:
    def __init__(self, args, folder):
        self.folder, self.include, self.cc = folder, args.include, shlex.split(args.cc)
        self.library = os.path.abspath(args.library)
        text = read_headers(args.include)
        self.functions = sorted(name for name, _ in prototypes(text))
        # Versions are macros: parsers of declarations do not see them.
        self.enumerated = sorted(name for name in numeric_constants(text)
                                 if not name.startswith(("HPT_VERSION_", "HPT_ABI_")))
        self.constants = sorted(numeric_constants(text))
        self.source = self.write("all.h", "".join(f"#include <hpt/{name}>\n" for name in header_names(args.include)))

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def plain(self):
        """(path of the declarations, complaint)"""
        text, complaint = run([*self.cc, "-E", "-P", *ALONE, "-I", self.include, self.source])
        return self.write("plain.h", text), complaint


def judged(tap, name, complaint, headers, functions, constants, wanted):
    missing = sorted(set(headers.functions) - set(functions)) + sorted(set(wanted) - set(constants))
    tap.result(not complaint and not missing, f"{name}: {len(headers.functions)} functions, {len(wanted)} constants",
               complaint.splitlines()[:20] + [f"missing: {one}" for one in missing])


def written(path, complaint):
    """What a generator that had no complaint has written."""
    if complaint:
        return ""
    with open(path, encoding="utf-8") as f:
        return f.read()


# ---- As they are ----

def bindgen(tap, headers):
    out, complaint = run(["bindgen", headers.source, "--", "-I", headers.include])
    judged(tap, "bindgen", complaint, headers, re.findall(r"pub fn (\w+)", out), re.findall(r"pub const (\w+)", out),
           headers.constants)


def swig(tap, headers):
    names = ["clock.h"] + [name for name in header_names(headers.include) if name not in ("clock.h", "hpt.h")]
    interface = "%module hpt\n%include <stdint.i>\n" + "".join(f'%include "hpt/{name}"\n' for name in names)
    wrap = os.path.join(headers.folder, "wrap.c")
    _, complaint = run(["swig", "-python", "-Wall", "-Werror", f"-I{headers.include}", "-o", wrap, "-outdir",
                        headers.folder, headers.write("hpt.i", interface)])
    text = written(wrap, complaint)
    judged(tap, "SWIG", complaint, headers, re.findall(r"_wrap_(hpt_\w+)\(", text),
           re.findall(r'SWIG_Python_SetConstant\(d, "(\w+)"', text), headers.constants)


def castxml(tap, headers):
    out = os.path.join(headers.folder, "castxml.xml")
    _, complaint = run(["castxml", "--castxml-output=1", "-x", "c", "-I", headers.include, headers.source, "-o", out])
    text = written(out, complaint)
    judged(tap, "CastXML", complaint, headers, re.findall(r'<Function [^>]*name="(\w+)"', text),
           re.findall(r'<EnumValue name="(\w+)"', text), headers.enumerated)


# ---- After the preprocessor ----

def cffi(tap, headers):
    program = """import sys, cffi
plain, library, *names = sys.argv[1:]
ffi = cffi.FFI()
ffi.cdef(open(plain).read())
lib = ffi.dlopen(library)
for name in names:
    print(name, int(getattr(lib, name)) if name.startswith("HPT_") else bool(ffi.addressof(lib, name)))
assert lib.hpt_sleep_ns(ffi.NULL, 1000) >= 0 and lib.hpt_now_ns(ffi.NULL) > 0
"""
    python = sys.executable if has_cffi(sys.executable) else "/usr/bin/python3"
    answer(tap, "cffi", headers, [python, "-c", program])


def luajit(tap, headers):
    program = headers.write("all.lua", """local ffi = require("ffi")
local f = io.open(arg[1])
ffi.cdef(f:read("*a"))
local lib = ffi.load(arg[2])
for i = 3, #arg do print(arg[i], tostring(lib[arg[i]])) end
assert(lib.hpt_sleep_ns(nil, 1000) >= 0 and lib.hpt_now_ns(nil) > 0)
""")
    answer(tap, "LuaJIT", headers, ["luajit", program])


def php(tap, headers):
    program = headers.write("all.php", """<?php
$ffi = FFI::cdef(file_get_contents($argv[1]), $argv[2]);
foreach (array_slice($argv, 3) as $name)
    echo $name, " ", str_starts_with($name, "HPT_") ? $ffi->$name : is_object($ffi->$name), "\\n";
if ($ffi->hpt_sleep_ns(null, 1000) < 0 || $ffi->hpt_now_ns(null) <= 0)
    exit(1);
""")
    answer(tap, "PHP FFI", headers, ["php", "-d", "ffi.enable=1", program])


def answer(tap, name, headers, command):
    """The command takes the plain declarations, the library and names, and prints each name with what it is."""
    plain, complaint = headers.plain()
    out = ""
    if not complaint:
        out, complaint = run([*command, plain, headers.library, *headers.functions, *headers.enumerated])
    found = [line.split()[0] for line in out.splitlines() if len(line.split()) > 1]
    judged(tap, name, complaint, headers, found, found, headers.enumerated)


def has_cffi(python):
    return not run([python, "-c", "import cffi"])[1]


def has_php():
    return bool(shutil.which("php")) and "FFI" in run(["php", "-m"])[0]


TOOLS = (
    ("bindgen", bindgen, lambda: shutil.which("bindgen")),
    ("SWIG", swig, lambda: shutil.which("swig")),
    ("CastXML", castxml, lambda: shutil.which("castxml")),
    ("cffi", cffi, lambda: has_cffi(sys.executable) or has_cffi("/usr/bin/python3")),
    ("LuaJIT", luajit, lambda: shutil.which("luajit")),
    ("PHP FFI", php, has_php),
)


def main():
    parser = argparse.ArgumentParser()
    for name in ("include", "cc", "library"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        headers = Headers(args, folder)
        for name, take, is_here in TOOLS:
            if is_here():
                take(tap, headers)
            else:
                tap.skip(name, "it is not here")
    tap.end()


main()
