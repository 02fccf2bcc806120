#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
bindings/python as its users get it: installed with pip where libhpt is installed, and from a source package with the
library inside. The suite of bindings/python/tests runs against what is installed. The arguments are those of
tests/consumer/consumer_test.py. With --all also: each interpreter from 3.9 on, and wheels. With --brief only what pip
installs where libhpt is installed, without the suite's storms, and the packages, not what is installed of them.
"""
import pathlib
import shutil
import signal
import sys
import tempfile

import binding_lab
import python_package as package
import python_wheels as wheels
from project import skip
from python_lab import Interpreter, Lab, interpreters


def start(lab, path):
    """An interpreter with what the tests need; None after a skipped test that says why."""
    interpreter = Interpreter(lab, path)
    why = interpreter.cannot()
    if why:
        lab.skip(interpreter.name, why)
        return None
    return interpreter


def check_more(lab, interpreter, library, wheel):
    package.check_vendored(lab, interpreter, wheel)
    package.check_choices(lab, interpreter, library)


def check_other(lab, interpreter, sdist, wheel):
    """The same wheel for all versions that the limited API covers; the others compile one from the source package."""
    source, how = (wheel, "wheel of another version") if interpreter.limited() else (sdist, "source package")
    interpreter.pip(f"pip install of the {how}", "install", f"{source}[test]")
    package.check_extension(lab, interpreter, how, False)
    package.check_facts(lab, interpreter, how)
    interpreter.test(how)


def check_all(lab, first, sdist, wheel):
    wheels.check_wheels(lab, first, sdist, wheel)
    package.check_distribution(lab)
    others = [start(lab, path) for path in interpreters() if path != first.path]
    for interpreter in others:
        if interpreter and interpreter.name != first.name:
            check_other(lab, interpreter, sdist, wheel)
    wheels.check_versions(lab, [first, *filter(None, others)], sdist)
    if not any(other and other.facts["free_threaded"] for other in others):
        lab.skip("free-threaded", "no such interpreter here")


def main():
    # A shell that starts this in the background has SIGINT ignored, which the suite's programs would inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    args, extent = binding_lab.arguments()
    if not shutil.which("cc"):
        skip("no C compiler")
    with tempfile.TemporaryDirectory(prefix="hpt-python-") as scratch:
        lab = Lab(args, pathlib.Path(scratch))
        interpreter = start(lab, sys.executable)
        if interpreter:
            library = lab.install_library()
            package.check_installed(lab, interpreter, library, extent == "brief")
            sdist, wheel = package.check_packages(lab, interpreter)
            if extent != "brief":
                check_more(lab, interpreter, library, wheel)
            if extent == "all":
                check_all(lab, interpreter, sdist, wheel)
        lab.finish()


main()
