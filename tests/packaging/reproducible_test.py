#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the same sources in two folders with debug information, one a unity build: the same bytes. Then "ninja
uninstall" takes away what "meson install" made, and nothing else."""
import argparse
import pathlib
import shlex
import shutil
import tempfile

from project import ROOT, Check, files_of

NEEDED = ["meson.build", "meson_options.txt", "include", "lib", "man", "packaging", "pkgconfig", "tests", "tools"]


class Build:
    def __init__(self, check, meson, source, folder, *options):
        self.check, self.meson, self.source, self.folder = check, meson, source, folder
        source.mkdir(parents=True)
        for name in NEEDED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, source)
        check.command(f"{source.name}: meson setup", meson + [
            "setup", folder, source, "--prefix=/usr", "--libdir=lib", "-Ddebug=true", "-Doptimization=0",
            "-Dtests=disabled", *options])
        check.command(f"{source.name}: builds", ["ninja", "-C", folder])

    def products(self):
        """The name of each library and program -> its bytes"""
        paths = [*self.folder.glob("lib/libhpt.a"), *self.folder.glob("lib/libhpt.so.*.*[0-9]"),
                 *self.folder.glob("lib/preload/libhpt-preload*.so"), *self.folder.glob("tools/hpt"),
                 *self.folder.glob("tools/hpt-bench")]
        return {path.name: path.read_bytes() for path in paths if path.is_file()}


def check_bytes(check, first, second):
    ours, theirs = first.products(), second.products()
    check.result(any(name.startswith("libhpt.so") for name in ours), f"products: {sorted(ours)}")
    check.equal("both builds have them", sorted(ours), sorted(theirs))
    for name, data in sorted(ours.items()):
        check.result(data == theirs.get(name), f"{name} has the same bytes in both")
        check.result(str(first.folder).encode() not in data and str(first.source).encode() not in data,
                     f"{name} has no path of its build")
        check.result(b".debug_line" in data, f"{name} has debug information")


def folders_of(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_dir())


def check_uninstall(check, build, destdir):
    """In a folder that already has some of the folders, and a header of another project."""
    (destdir / "usr/include").mkdir(parents=True)
    (destdir / "usr/include/other.h").write_text("", encoding="utf-8")
    check.command("meson install", build.meson + ["install", "-C", build.folder, "--destdir", destdir])
    installed = files_of(destdir)
    check.result(len(installed) > 20, f"{len(installed)} files are installed", installed)
    check.command("ninja uninstall", ["ninja", "-C", build.folder, "uninstall"])
    check.equal("files that are left", files_of(destdir), ["usr/include/other.h"])
    check.equal("folders that are left", folders_of(destdir), ["usr", "usr/include"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--meson", required=True)
    meson = shlex.split(parser.parse_args().meson)
    check = Check()
    with tempfile.TemporaryDirectory(prefix="hpt-reproducible-") as folder:
        scratch = pathlib.Path(folder).resolve()
        first = Build(check, meson, scratch / "one", scratch / "one" / "build")
        # A unity build compiles the library and the command file by file, as any other does.
        second = Build(check, meson, scratch / "deeper" / "place" / "two", scratch / "elsewhere", "-Dunity=on")
        check_bytes(check, first, second)
        check_uninstall(check, first, scratch / "dest")
    check.finish()


main()
