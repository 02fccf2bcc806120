# SPDX-License-Identifier: MIT
"""The binary interface of the library, as abidw describes it: libhpt.xml is what was agreed on.

The description is of a build made here: by gcc without optimisation, with debug information, in a copy of the tree.
How the library is otherwise built does not change its interface, and a copy can be changed.
"""
import concurrent.futures
import os
import platform
import re
import shutil
import subprocess

SOURCES = ("include", "lib")
CFLAGS = ["-std=gnu11", "-O0", "-g", "-fPIC", "-fvisibility=hidden", "-w", "-D_GNU_SOURCE", "-D_TIME_BITS=64",
          "-D_FILE_OFFSET_BITS=64", "-Iinclude", "-Ilib", "-MMD"]
LDFLAGS = ["-shared", "-nostartfiles", "-Wl,-soname,libhpt.so.1", "-Wl,--version-script=lib/libhpt.map"]
# No paths, no lines of sources, no names of parameters, nothing of the machine: only what programs depend on.
ABIDW = ["abidw", "--no-show-locs", "--no-corpus-path", "--no-comp-dir-path", "--no-parameter-names", "--no-elf-needed",
         "--type-id-style", "hash", "--exported-interfaces-only", "--drop-private-types", "--headers-dir", "include"]


def missing():
    """Returns why the interface cannot be described here, or an empty string."""
    if platform.machine() != "x86_64":
        return "the baseline is of x86-64"
    absent = [tool for tool in ("gcc", "abidw", "abidiff") if not shutil.which(tool)]
    return f"no {absent[0]} (Debian package: {'gcc' if absent[0] == 'gcc' else 'abigail-tools'})" if absent else ""


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}:\n{done.stdout}")
    return done.stdout


def files(folder, suffix):
    return sorted(os.path.relpath(os.path.join(at, name), folder) for top in SOURCES
                  for at, _, names in os.walk(os.path.join(folder, top)) for name in names if name.endswith(suffix))


def hide(path):
    """abidw takes a type for public by its header's name without the folder, which private ones share."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(f'#line 1 "private.h"\n{text}')


def copy_tree(root, folder):
    for top in SOURCES:
        # The object of "hpt run", in lib/preload, is no part of the library.
        shutil.copytree(os.path.join(root, top), os.path.join(folder, top), ignore=shutil.ignore_patterns("preload"))
    for path in files(folder, ".h"):
        if path.startswith("lib"):
            hide(os.path.join(folder, path))


def object_of(source):
    return source.replace("/", "_")[:-2] + ".o"


def compile_all(folder, sources):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda source: run(["gcc"] + CFLAGS + ["-c", source, "-o", object_of(source)], folder), sources))


def link(folder):
    objects = sorted(name for name in os.listdir(folder) if name.endswith(".o"))
    run(["gcc"] + LDFLAGS + objects + ["-o", "libhpt.so"], folder)


def build(root, folder):
    copy_tree(root, folder)
    compile_all(folder, files(folder, ".c"))
    link(folder)


def change(folder, edits):
    """Applies (path, pattern, replacement), each to exactly one place, and builds anew what depends on these files."""
    for path, pattern, replacement in edits:
        full = os.path.join(folder, path)
        with open(full, encoding="utf-8") as f:
            text, count = re.subn(pattern, replacement, f.read(), flags=re.M | re.S)
        if count != 1:
            raise RuntimeError(f"{path} has {count} places that match {pattern}: renew this break")
        with open(full, "w", encoding="utf-8") as f:
            f.write(text)
    changed = {path for path, _, _ in edits}
    compile_all(folder, [source for source in files(folder, ".c") if changed & dependencies(folder, source)])
    link(folder)


def dependencies(folder, source):
    with open(os.path.join(folder, object_of(source)[:-2] + ".d"), encoding="utf-8") as f:
        return set(f.read().split())


def describe(folder):
    return run(ABIDW + ["libhpt.so"], folder)


def suppressions(structs):
    """
    abidiff is to pass over the young functions and these structs. Its has_data_member_inserted_at is no help: it hides
    other changes too.
    """
    return ("[suppress_function]\n  symbol_version_regexp = ^LIBHPT_YOUNG_[0-9]+$\n"
            + "".join(f"[suppress_type]\n  type_kind = struct\n  name = {name}\n" for name in structs))


def differs(baseline, folder, structs):
    """Returns abidiff's report, empty where nothing has changed but what is young and the structs named."""
    for name, text in (("now.xml", describe(folder)), ("may_change.abignore", suppressions(structs))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
    done = subprocess.run(["abidiff", "--suppressions", "may_change.abignore", baseline, "now.xml"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    return (done.stdout or f"exit {done.returncode}") if done.returncode else ""
