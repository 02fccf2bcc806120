#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
The examples in Go, Java, Node and LuaJIT: made by the commands in their first comments against an installed library,
and run; a library whose sleeps are early, and one that fails; then the programs of the folder examples use a closed
object, and one object from two threads. The arguments are those of tests/consumer/consumer_test.py.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

from binding_lab import BindingLab, arguments
from examples_lab import NUMBER, ROOT, examples, figures, no_java

HERE = pathlib.Path(__file__).resolve().parent
# The programs that misuse the objects. LuaJIT has one thread, and its example itself uses a closed object.
USES = {"Go": "use.go", "Java": "Use.java", "Node": "use.js"}


class Lab(BindingLab):
    """Test results, and an installed tree that pkg-config and the loader find alone."""

    def __init__(self, args, scratch):
        super().__init__(args, scratch, re.compile("HPT_SOURCE"))
        self.environ.update(self.install_library(), GOTOOLCHAIN="local", GOFLAGS="-mod=mod")

    def execute(self, words, folder, limit=300, **more):
        """Runs a program; its exit status is None if it hangs."""
        try:
            return subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  universal_newlines=True, check=False, cwd=folder, timeout=limit,
                                  env=dict(self.environ, **more))
        except subprocess.TimeoutExpired as hung:
            return subprocess.CompletedProcess(hung.cmd, None, str(hung.stdout), str(hung.stderr))

    def expect(self, done, good, name):
        self.result(good, name, () if good else (f"{shlex.join(map(str, done.args))}: exit {done.returncode}",
                                                 *done.stdout.splitlines()[-20:], *done.stderr.splitlines()[-20:]))
        return good


def build_fake(lab):
    folder = lab.scratch / "fake"
    folder.mkdir()
    lab.command("fake.c", [*lab.args.cc, *lab.args.args, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-shared",
                           "-fPIC", "-o", folder / "libhpt.so.1", HERE / "examples/fake.c",
                           *lab.tree.flags("--cflags"),
                           f"-Wl,-soname,libhpt.so.1,--version-script={ROOT / 'lib/libhpt.map'}"])


def build(lab, example):
    for command in example.builds:
        done = lab.execute(["sh", "-c", command], example.folder)
        if not lab.expect(done, done.returncode == 0 and not done.stdout + done.stderr,
                          f"{example.language}: {command}"):
            return False
    return True


def check_lines(lab, example, source):
    name = f"{example.language}: with {source or 'the default source'}"
    done = lab.execute(example.program, example.folder, HPT_SOURCE=source)
    try:
        found = figures(done.stdout)
        good = (source in ("", found["source"]) and min(found["read_ns"]) > 0 and found["late_us"][1][0] >= 0
                and all(median <= most for median, most in found["late_us"]))
    except ValueError:
        good = False
    lab.expect(done, good and done.returncode == 0 and not done.stderr, f"{name}: figures")
    ended = re.findall(rf"^interrupted after {NUMBER} ms of 10000$", done.stdout, re.M)
    lab.expect(done, len(ended) == 1 and 15 <= float(ended[0]) < 10000, f"{name}: an interrupt")
    if example.language == "Go":
        ticks = re.findall(r"^ticker: 10 ticks on a channel, \d+ missed$", done.stdout, re.M)
        lab.expect(done, len(ticks) == 1, f"{name}: a ticker")


def check_failures(lab, example):
    fake = {"LD_LIBRARY_PATH": str(lab.scratch / "fake")}
    done = lab.execute(example.program, example.folder, **fake)
    lab.expect(done, done.returncode == 1 and "early" in done.stderr, f"{example.language}: an early sleep is exit 1")
    done = lab.execute(example.program, example.folder, HPT_FAKE_NOMEM="1", **fake)
    lab.expect(done, done.returncode == 1 and re.search("memory|errno 12", done.stderr),
               f"{example.language}: no memory is exit 1, with the error")


def check_use(lab, example):
    name = USES[example.language]
    shutil.copy(HERE / "examples" / name, example.folder)
    words = [name if word == example.source.name else word for word in example.program]
    if example.language == "Go" and not build(lab, example):
        return
    done = lab.execute(words, example.folder)
    lines = done.stdout.split()
    lab.expect(done, done.returncode == 0 and lines[1::2] and set(lines[1::2]) == {"true"},
               f"{example.language}: EBUSY for a second sleep, EINVAL after close")


def check_example(lab, example):
    if example.why_not:
        lab.skip(example.language, example.why_not)
        return
    example.copy(lab.scratch)
    if not build(lab, example):
        return
    for source in ("", "os"):
        check_lines(lab, example, source)
    check_failures(lab, example)
    if example.language in USES:
        check_use(lab, example)


def find_java(lab):
    """A Java that has the FFM API: this machine's, or one that is fetched and kept for later runs."""
    if no_java("java") is None:
        return "java"
    folder = pathlib.Path(tempfile.gettempdir(), f"hpt-jdk-{os.getuid()}")
    done = subprocess.run([HERE / "fetch-jdk", folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False)
    if done.returncode:
        print(f"# no newer Java: {done.stderr.strip()}")
        return "java"
    lab.result(True, "fetch-jdk")
    return done.stdout.splitlines()[-1]


def laboratory(scratch):
    """The test's tree. --all is for the other tests of this suite: here one run has all."""
    args, _ = arguments()
    return Lab(args, pathlib.Path(scratch))


def main():
    with tempfile.TemporaryDirectory(prefix="hpt-examples-") as folder:
        lab = laboratory(folder)
        build_fake(lab)
        for example in examples(find_java(lab)):
            check_example(lab, example)
        lab.finish()


if __name__ == "__main__":
    main()
