# SPDX-License-Identifier: MIT
"""For the tests of this folder: their arguments, copies of the tree, an installed library."""
import pathlib
import re
import shutil
import sys

import consumer_test
from project import Check, skip

# What builds and tests leave in a tree.
LEFT_OVER = shutil.ignore_patterns("__pycache__", "build", "dist", "target", "libhpt", "*.egg-info", "*.so", "*.node",
                                   ".pytest_cache", ".hypothesis", ".mypy_cache", ".ruff_cache", ".venv")


def arguments():
    """
    Those of tests/consumer/consumer_test.py, and how much is asked for: "brief", "all" or "". --brief wins, as --all
    may be given to all tests of the suite. Ends a test that cannot run.
    """
    extent = "brief" if "--brief" in sys.argv else "all" if "--all" in sys.argv else ""
    sys.argv = [word for word in sys.argv if word not in ("--all", "--brief")]
    args = consumer_test.arguments()
    if not args.pkgconfig or not args.meson:
        skip("no pkg-config" if args.meson else "no meson in PATH")
    if args.library == "static":
        skip("this build has no shared library")
    return args, extent


class BindingLab(Check):
    """Test results, and the folders that the tests share."""

    def __init__(self, args, scratch, foreign):
        """Variables of the environment that the pattern matches are removed."""
        super().__init__()
        for name in [name for name in self.environ if foreign.match(name)]:
            self.environ.pop(name)
        self.args, self.scratch = args, pathlib.Path(scratch)
        self.root = pathlib.Path(args.root)
        self.version = re.search(r'HPT_VERSION_STRING "(.*)"',
                                 (self.root / "include/hpt/version.h").read_text(encoding="utf-8"))[1]
        # pkg-config finds no libhpt of this machine.
        self.environ.update(PKG_CONFIG_LIBDIR="/nonexistent", PKG_CONFIG_PATH="", PKG_CONFIG=args.pkgconfig)

    def copy(self, name, *parts):
        """A copy of these parts of the tree, so that builds leave the tree alone."""
        folder = self.scratch / name
        for part in parts:
            source = self.root / part
            if source.is_dir():
                shutil.copytree(source, folder / part, symlinks=True, ignore=LEFT_OVER)
            else:
                shutil.copy(source, folder / part)
        return folder

    def install_library(self):
        """Installs the build. Returns the variables by which compilers and programs find it."""
        destdir = self.scratch / "dest"
        self.command("the library: meson install",
                     [*self.args.meson, "install", "-C", self.args.build, "--no-rebuild", "--destdir", destdir])
        self.tree = consumer_test.Installed(destdir, self.args.pkgconfig)
        return {"PKG_CONFIG_LIBDIR": self.tree.environ["PKG_CONFIG_LIBDIR"], "PKG_CONFIG_SYSROOT_DIR": str(destdir),
                "LD_LIBRARY_PATH": str(self.tree.libdir)}
