# SPDX-License-Identifier: MIT
"""For the tests of examples that are made as a stranger would: by their own commands, with an installed library."""
import os
import re
import shlex

import consumer_test as consumer
from consumer_test import run


def arguments():
    """Skips the test where such a program cannot be made."""
    args = consumer.arguments()
    if args.sanitize != "none":
        consumer.skip(f"this build is sanitized ({args.sanitize}), and a program that uses it would not be")
    if not args.pkgconfig or not args.meson:
        consumer.skip("no pkg-config" if args.meson else "no meson in PATH")
    return args


def command_of(source):
    """The command that the first comment gives."""
    first_comments = source.read_text(encoding="utf-8").split("#include", 1)[0]
    return re.findall(r"^ \*\t((?:cc|c\+\+) .*)$", first_comments, re.M)


def environment(args, tree, destdir, folder):
    """cc and c++ are the compilers of the build, and pkg-config finds no other library than the installed one."""
    shims = folder / "bin"
    shims.mkdir()
    # The compiler may be called cc too, or be found as cc by ccache: this folder is not in its PATH.
    path = shlex.quote(os.environ["PATH"])
    for name, compiler in (("cc", args.cc), ("c++", args.cxx)):
        if compiler:
            command = shlex.join([*compiler, *args.args])
            (shims / name).write_text(f'#!/bin/sh\nPATH={path} exec {command} "$@"\n', encoding="utf-8")
            (shims / name).chmod(0o755)
    environ = dict(tree.environ, PATH=f"{shims}:{os.environ['PATH']}", LD_LIBRARY_PATH=str(tree.libdir),
                   PKG_CONFIG_SYSROOT_DIR=str(destdir))
    environ.pop("HPT_SOURCE", None)
    return environ


def flags(args, environ, *packages):
    return shlex.split(run([args.pkgconfig, "--cflags", *packages], env=environ).stdout)
