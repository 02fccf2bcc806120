#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The headers, the version script, the built library and the manual must name the same functions."""
import argparse
import os
import re
import shutil
import subprocess

from headers import map_nodes, prototypes, struct_members
from tap import Tap

# Their functions are in a node of their own: README.md.
YOUNG_HEADERS, YOUNG = ("wall.h", "hlc.h", "wait.h", "mmio.h", "system.h"), "LIBHPT_YOUNG_1"

LIBC = re.compile(r"libc\.so|libc\.musl|ld-linux|ld-musl|ld64\.so|ld\.so")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return f.read()


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout


# ---- The names in each place ------------------------------------------------------------------------

def header_since(header):
    """Returns function -> the release in its comment, for functions that have a comment."""
    blocks = re.findall(r"/\*\*\n \* (\w+) - (.*?)\*/", header, flags=re.S)
    since = {name: re.search(r"^ \* Since:\s+(\S+)$", text, flags=re.M) for name, text in blocks}
    return {name: found.group(1) for name, found in since.items() if found}


def library_functions(nm, library):
    """Returns the defined dynamic symbols, without the names of the version nodes (type A)."""
    lines = [line.split() for line in run(nm, "-D", "--defined-only", library).splitlines()]
    return [fields[-1].split("@")[0] for fields in lines if len(fields) >= 2 and fields[-2] != "A"]


def library_versions(readelf, library):
    """Returns symbol -> version, for every defined symbol but the version nodes."""
    lines = [line.split() for line in run(readelf, "-W", "--dyn-syms", library).splitlines()]
    symbols = [f for f in lines if len(f) >= 8 and f[0].endswith(":") and f[6] not in ("UND", "ABS", "Ndx")]
    return {f[7].split("@")[0]: f[7].rpartition("@")[2] if "@" in f[7] else "none" for f in symbols}


# Pages of section 3 that describe no C function.
NO_FUNCTIONS = ("libhpt.3", "hpt.hpp.3")


def page_functions(pages):
    """Returns the functions in the NAME sections of section 3."""
    names = []
    for page in pages:
        if page.endswith(".3") and os.path.basename(page) not in NO_FUNCTIONS:
            names += re.findall(r"^\.Nm (\w+)", read(page).split(".Sh LIBRARY")[0], flags=re.M)
    return names


def man_names(pages, aliases):
    """Returns the names that "man 3 NAME" finds after installation."""
    files = [os.path.basename(p) for p in pages] + aliases
    return [f[:-2] for f in files if f.endswith(".3") and f not in NO_FUNCTIONS]


# ---- Checks -----------------------------------------------------------------------------------------

def check_names(tap, lists):
    everywhere = set().union(*lists.values())
    for where, names in lists.items():
        tap.empty(f"every function is named by {where}",
                  [f"{name}: not in {where}" for name in sorted(everywhere - set(names))])
        tap.empty(f"no function is named twice by {where}",
                  [f"{name}: twice in {where}" for name in sorted(set(names)) if names.count(name) > 1])
    tap.empty("every function begins with hpt_", sorted(n for n in everywhere if not n.startswith("hpt_")))


def check_versions(tap, versions, nodes, since, young):
    # Each release with new functions adds its own node here; the young one is of all releases.
    node_of = {"1.0": "LIBHPT_1.0"}
    tap.empty("every symbol carries the version node of its release, or the young one",
              [f"{name}: version {got}, map {nodes.get(name)}, since {since.get(name)}"
               for name, got in sorted(versions.items())
               if not got == nodes.get(name) or got not in (YOUNG, node_of.get(since.get(name)))])
    tap.empty("the functions of the young headers, and no others, are in the young node",
              [f"{name}: {node}" for name, node in sorted(nodes.items()) if (name in young) != (node == YOUNG)])
    tap.empty("no other version node exists", sorted(set(versions.values()) - {YOUNG} - set(node_of.values())))


def needed_libraries(readelf, library):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run(readelf, "-W", "-d", library))


def check_needed(tap, readelf, args):
    if args.sanitize != "none":
        tap.skip("libc is the only library needed", "this build is sanitized")
        return
    tap.empty("libc is the only library needed",
              [n for n in needed_libraries(readelf, args.library) if not LIBC.match(n)])


def reason_numbers(header, prefix):
    return re.findall(rf"^\t({prefix}\w+) += (\d+)", header, flags=re.M)


def reason_sentences(names_c):
    """A long sentence stands in adjacent literals, one a line."""
    return {"HPT_REASON_" + name: "".join(re.findall(r'"(.*?)"', literals))
            for name, literals in re.findall(r'X\((\w+)((?:,? \\\n\s*".*?")+)\)', names_c)}


def wall_sentences(wall_names_c, numbers):
    """One string of all sentences, in the order of their numbers."""
    function = wall_names_c.partition("hpt_wall_reason_text(")[2].partition("\n}")[0]
    sentences = "".join(re.findall(r'"(.*?)"', function)).split("\\0")
    return {name: sentences[int(number)] for name, number in numbers if int(number) < len(sentences)}


def check_reasons(tap, title, prefix, numbers, sentences, page):
    lines = set(page.splitlines())
    wrong = []
    for name, number in numbers:
        if not any(re.match(rf"\.(It )?Dv {name} Pq {number}\b", line) for line in lines):
            wrong.append(f"{name} {number}: not in {title}")
        if sentences.get(name, "(no sentence)") + "." not in lines:
            wrong.append(f"{name}: its sentence is not in {title}: {sentences.get(name)}")
    known = {name for name, _ in numbers}
    wrong += [f"{name}: in {title} only" for name in re.findall(rf"\b{prefix}[A-Z0-9]\w*", page) if name not in known]
    tap.empty(f"{title} has every reason with its number and its sentence", wrong or ([] if numbers else ["no reason"]))


def check_members(tap, header, pages):
    manual = "".join(read(page) for page in pages)
    wrong = []
    for struct, member in struct_members(header):
        section = manual.partition(f".Ss struct {struct}\n")[2].partition("\n.S")[0]
        if not re.search(rf"^\.It Vt \w+ Va .*\b{member}\b", section, flags=re.M):
            wrong.append(f"{member} of {struct}: in no page")
    tap.empty("the manual has every member of every struct", wrong)


def check_release(tap, root, pc):
    header = re.search(r'^#define HPT_VERSION_STRING "(.*)"', read(root, "include/hpt/version.h"), flags=re.M)
    pkgconfig = re.search(r"^Version: (.*)$", read(pc), flags=re.M)
    tap.result(header and pkgconfig and header.group(1) == pkgconfig.group(1),
               "version.h and libhpt.pc have the same version",
               [f"version.h {header and header.group(1)}, libhpt.pc {pkgconfig and pkgconfig.group(1)}"])


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("root", "library", "pc", "sanitize"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--pages", nargs="*", default=[])
    parser.add_argument("--aliases", nargs="*", default=[])
    return parser.parse_args()


def check_pages_exist(tap, root, pages):
    listed = {os.path.basename(p) for p in pages}
    there = {f for f in os.listdir(os.path.join(root, "man")) if re.fullmatch(r".+\.[0-9]", f)}
    tap.empty("man/meson.build lists every page", sorted(f"{f}: not listed" for f in there - listed))


def main():
    args = arguments()
    tap = Tap()
    headers = sorted(f for f in os.listdir(os.path.join(args.root, "include/hpt")) if f.endswith(".h"))
    header = "".join(read(args.root, "include/hpt", name) for name in headers)
    young = "".join(read(args.root, "include/hpt", name) for name in headers if name in YOUNG_HEADERS)
    nodes = map_nodes(read(args.root, "lib/libhpt.map"))
    nm, readelf = shutil.which("nm"), shutil.which("readelf")
    lists = {
        "the headers": [name for name, _ in prototypes(header)],
        "libhpt.map": list(nodes),
        "the NAME of a manual page": page_functions(args.pages),
        "a manual page's file or alias": man_names(args.pages, args.aliases),
    }
    if nm:
        lists["the library (nm -D)"] = library_functions(nm, args.library)
    else:
        tap.skip("the library's symbols", "no nm")
    check_names(tap, lists)
    if readelf:
        versions = library_versions(readelf, args.library)
        check_versions(tap, versions, nodes, header_since(header), [name for name, _ in prototypes(young)])
        check_needed(tap, readelf, args)
    else:
        tap.skip("versions and needed libraries", "no readelf")
    check_pages_exist(tap, args.root, args.pages)
    check_reasons(tap, "hpt_source(7)", "HPT_REASON_", reason_numbers(header, "HPT_REASON_"),
                  reason_sentences(read(args.root, "lib/clock/names.c")), read(args.root, "man/hpt_source.7"))
    of_walls = reason_numbers(header, "HPT_WALL_REASON_")
    check_reasons(tap, "hpt_wall(7)", "HPT_WALL_REASON_", of_walls,
                  wall_sentences(read(args.root, "lib/wall/wall_names.c"), of_walls), read(args.root, "man/hpt_wall.7"))
    check_members(tap, header, args.pages)
    check_release(tap, args.root, args.pc)
    tap.end()


main()
