#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/subproject with this tree as its subproject: what is built, what is installed, and whether it runs."""
import argparse
import json
import pathlib
import shlex
import shutil
import tempfile

from project import ROOT, Check, files_of

SHARED = ["libhpt.so", "libhpt.so.1", "libhpt.so.1.0"]


class Parent:
    """The example, and build folders of it."""

    def __init__(self, check, meson, scratch):
        self.check, self.meson, self.scratch = check, meson, scratch
        self.source = scratch / "parent"
        shutil.copytree(ROOT / "examples" / "subproject", self.source)
        (self.source / "subprojects").mkdir()
        (self.source / "subprojects" / "libhpt").symlink_to(ROOT, target_is_directory=True)

    def setup(self, name, *options):
        folder = self.scratch / name
        self.check.command(f"{name}: meson setup", self.meson + ["setup", folder, self.source, "--prefix=/usr",
                                                                 "--libdir=lib", "--buildtype=debug",
                                                                 "--force-fallback-for=libhpt", *options])
        return folder

    def introspect(self, folder, what):
        return json.loads(self.check.run(self.meson + ["introspect", what, folder]).stdout)

    def plan(self, folder):
        """What a build makes by default, and where the files of an installation go"""
        targets = [t for t in self.introspect(folder, "--targets") if t["build_by_default"]]
        return targets, sorted(self.introspect(folder, "--installed").values())

    def install(self, name, folder):
        destdir = self.scratch / f"{name}-dest"
        self.check.command(f"{name}: meson install", self.meson + ["install", "-C", folder, "--destdir", destdir])
        return destdir


def check_plan(check, name, parent, folder, kind):
    """One library and one program, in as many steps as they have sources."""
    targets, installed = parent.plan(folder)
    libraries = [t for t in targets if t["subproject"]]
    check.equal(f"{name}: built of libhpt", [(t["name"], t["type"]) for t in libraries], [("hpt", kind)])
    expected = ["/usr/bin/period"] + ([f"/usr/lib/{n}" for n in SHARED] if kind == "shared library" else [])
    check.equal(f"{name}: installed", installed, expected)
    steps = len([line for line in check.run(["ninja", "-C", folder, "-n"]).stdout.splitlines() if line[:1] == "["])
    sources = sum(len(t["target_sources"][0]["sources"]) for t in targets)
    # Meson lists the symbols of a shared library, so that a new one does not link programs again.
    links = 2 + (kind == "shared library")
    check.equal(f"{name}: build steps", steps, sources + links)


def check_static(check, parent):
    folder = parent.setup("static")
    check_plan(check, "static", parent, folder, "static library")
    destdir = parent.install("static", folder)
    check.equal("static: the installed files", files_of(destdir), ["usr/bin/period"])
    printed = check.command("static: the installed program runs", [destdir / "usr/bin/period"])
    check.result("100 periods of 1 ms" in printed, "static: it counts its periods", [printed])


def check_shared(check, parent):
    folder = parent.setup("shared", "-Dlibhpt:default_library=shared")
    check_plan(check, "shared", parent, folder, "shared library")
    destdir = parent.install("shared", folder)
    check.equal("shared: the installed files", files_of(destdir), ["usr/bin/period"] + [f"usr/lib/{n}" for n in SHARED])
    check.command("shared: the installed program runs", [destdir / "usr/bin/period"],
                  LD_LIBRARY_PATH=destdir / "usr/lib")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--meson", required=True)
    check = Check()
    with tempfile.TemporaryDirectory(prefix="hpt-subproject-") as folder:
        parent = Parent(check, shlex.split(parser.parse_args().meson), pathlib.Path(folder))
        check_static(check, parent)
        # The parent's own choice does not add a second library, nor install the one.
        for kind in ("static", "both"):
            name = f"default_library={kind}"
            check_plan(check, name, parent, parent.setup(name, f"-D{name}"), "static library")
        check_shared(check, parent)
    check.finish()


main()
