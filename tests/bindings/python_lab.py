# SPDX-License-Identifier: MIT
"""For python_test.py: a copy of the tree, an installed library, and interpreters with environments of their own."""
import json
import os
import pathlib
import re
import sys

from binding_lab import BindingLab

# Variables that are removed, so that the suite tests the installed package and finds no other.
FOREIGN = re.compile(r"(PYTHONPATH|PYTHONHOME|HPT_|DESTDIR|LD_LIBRARY_PATH|VIRTUAL_ENV|MAKEFLAGS|PKG_CONFIG)")
FACTS = """import json, os, sys, sysconfig
print(json.dumps({
    "version": "%d.%d" % sys.version_info[:2],
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "header": os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")),
}))"""


class Lab(BindingLab):
    """Test results, and the folders that the tests share."""

    def __init__(self, args, scratch):
        super().__init__(args, scratch, FOREIGN)
        self.environ.update(PIP_NO_INPUT="1", PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_ROOT_USER_ACTION="ignore",
                            PYTHONDONTWRITEBYTECODE="1", PYTHONNOUSERSITE="1")
        self.package = self.copy("checkout", "bindings", "include", "lib", "LICENSE") / "bindings/python"
        # The suite reads the headers, and has the package's sources nowhere near.
        self.suite = self.copy("suite", "bindings/python/tests", "include") / "bindings/python/tests"

    def holds(self, good, name, details):
        """The details are shown if it does not hold."""
        self.result(good, name, () if good else details)


class Interpreter:
    """One Python, and an environment of it."""

    def __init__(self, lab, path):
        self.lab, self.path = lab, path
        self.facts = json.loads(lab.run([path, "-I", "-c", FACTS]).stdout)
        self.name = "python" + self.facts["version"] + ("t" if self.facts["free_threaded"] else "")
        self.folder = lab.scratch / self.name

    @property
    def python(self):
        return self.folder / "bin/python"

    def number(self):
        """The version, for comparisons"""
        return tuple(map(int, self.facts["version"].split(".")))

    def limited(self):
        """Its extensions run on later versions too."""
        return self.number() >= (3, 11) and not self.facts["free_threaded"]

    def tag(self):
        """Of the wheels that it builds"""
        digits = self.facts["version"].replace(".", "")
        return "cp311-abi3" if self.limited() else f"cp{digits}-cp{digits}" + "t" * self.facts["free_threaded"]

    def cannot(self):
        """Why there can be no tests with it; None: there can."""
        if not self.facts["header"]:
            return f"{self.name}: no Python.h"
        done = self.lab.run([self.path, "-m", "venv", self.folder])
        if done.returncode:
            return f"{self.name}: no venv: {done.stdout.strip().splitlines()[-1:]}"
        done = self.lab.run([self.python, "-m", "pip", "download", "-q", "--no-deps", "-d", self.folder, "setuptools"])
        if done.returncode:
            return f"{self.name}: pip fetches no packages here: {done.stdout.strip().splitlines()[-1:]}"
        return None

    def pip(self, name, *words, **environ):
        return self.lab.command(f"{self.name}: {name}", [self.python, "-m", "pip", *words], **environ)

    def ask(self, program, **environ):
        """The output of this program, in a folder where no source is."""
        return self.lab.run([self.python, "-I", "-c", program], **environ).stdout.strip()

    def extension(self):
        """The installed extension, or None"""
        found = sorted(self.folder.glob("lib/python*/site-packages/hpt/_native*.so"))
        return found[0] if len(found) == 1 else None

    def test(self, name, *without, **environ):
        """Runs the suite with the installed package, without the files named last."""
        command = [self.python, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                   *(f"--ignore={self.lab.suite / file}" for file in without), self.lab.suite]
        done = self.lab.run(command, **environ)
        lines = done.stdout.strip().splitlines() or ["no output"]
        summary = re.sub(r" in \d.*", "", lines[-1].strip("= "))
        self.lab.holds(done.returncode == 0, f"{self.name}: {name}: {summary}", lines[-60:])


def interpreters():
    """Paths: one of each version from 3.9 on"""
    found = {}
    folders = [os.path.dirname(sys.executable), *os.environ["PATH"].split(os.pathsep),
               *map(str, pathlib.Path.home().glob(".pyenv/versions/*/bin"))]
    for folder in map(pathlib.Path, folders):
        for path in sorted(folder.glob("python3.*")):
            version = re.fullmatch(r"python3\.(\d+)t?", path.name)
            # pyenv's shims exist for versions that do not run.
            if version and int(version[1]) >= 9 and path.parent.name != "shims":
                found.setdefault(path.name, str(path))
    return [found[name] for name in sorted(found, key=lambda name: (len(name), name))]
