# SPDX-License-Identifier: MIT
"""For the tests of this folder: commands with their output, builds of this project and of programs that use it."""
import os
import pathlib
import shlex
import subprocess
import sys

from tap import Tap

SKIP = 77
ROOT = pathlib.Path(__file__).resolve().parents[2]


def skip(why):
    print(f"1..0 # SKIP {why}")
    sys.exit(0)


class Check(Tap):
    """Test results, of which those of commands show the command and its output where it failed."""

    def __init__(self, **environ):
        super().__init__()
        self.environ = dict(os.environ, **environ)
        # LD_LIBRARY_PATH: Meson's, to the build folder, comes before a program's own path to its libraries.
        for name in ("DESTDIR", "LD_LIBRARY_PATH"):
            self.environ.pop(name, None)
        self.failed = False

    def result(self, good, name, details=()):
        self.failed = self.failed or not good
        super().result(good, name, details)

    def run(self, command, **more):
        environ = dict(self.environ, **more)
        return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, check=False, env=environ)

    def command(self, name, command, **more):
        """Runs a command that has to succeed; returns its output, or ends the test."""
        done = self.run(command, **more)
        shown = [shlex.join(map(str, command)), *done.stdout.splitlines()[-40:]]
        self.result(done.returncode == 0, name, shown if done.returncode else ())
        if done.returncode:
            self.end()
            sys.exit(1)
        return done.stdout

    def equal(self, name, got, expected):
        self.result(got == expected, name, () if got == expected else (f"got      {got}", f"expected {expected}"))

    def finish(self):
        self.end()
        sys.exit(self.failed)


def files_of(folder):
    """The paths of all files and links in a folder, sorted."""
    folder = pathlib.Path(folder)
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_symlink() or path.is_file())
