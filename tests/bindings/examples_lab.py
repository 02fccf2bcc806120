# SPDX-License-Identifier: MIT
"""The examples in other languages, for examples_test.py and languages.py: their toolchains, commands and lines."""
import pathlib
import re
import shlex
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMBER = r"(-?\d+\.\d+)"


def too_old(command, least):
    """Why the language cannot be used here; None if it can."""
    if not shutil.which(command[0]):
        return f"no {command[0]} in PATH"
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          check=False)
    line = (done.stdout.strip() or "no words").splitlines()[0]
    found = re.search(r"\d+(?:\.\d+)*", line)
    if done.returncode or not found or tuple(map(int, found[0].split("."))) < least:
        return f"{command[0]}: version {'.'.join(map(str, least))} or later is needed, and this is: {line}"
    return None


def no_java(java):
    # The FFM API is in Java from version 22 on.
    return too_old([java, "-version"], (22,))


def no_node():
    header = ["node", "-p", 'require("fs").accessSync(path.resolve(process.execPath, "../../include/node/node_api.h"))']
    why = too_old(["node", "--version"], (18,)) or (None if shutil.which("cc") else "no C compiler for the addon")
    return why or (subprocess.run(header, capture_output=True, check=False).returncode and "no headers of Node") or None


class Example:
    """One example: the commands in its first comment, in a copy of its folder."""

    def __init__(self, language, source, why_not, java="java"):
        self.language, self.source, self.why_not = language, ROOT / "examples" / source, why_not
        text = self.source.read_text(encoding="utf-8").replace("\\\n *\t\t", "")
        lines = re.findall(r"^(?://| \*|)\t((?:go build|java|cc|node|luajit|\./sleeps)\b.*)$", text, re.M)
        self.builds, self.program, self.folder = lines[:-1], shlex.split(lines[-1]), None
        if self.program[0] == "java":
            self.program[0] = java

    def copy(self, scratch):
        self.folder = scratch / self.source.parent.name
        shutil.copytree(self.source.parent, self.folder, ignore=shutil.ignore_patterns("sleeps", "*.node", ".*"))


def examples(java="java"):
    no_cc = None if shutil.which("cc") else "no C compiler for cgo"
    return [Example("Go", "go/sleeps.go", too_old(["go", "version"], (1, 22)) or no_cc),
            Example("Java", "java/Sleeps.java", no_java(java), java),
            Example("Node", "node/sleeps.js", no_node()),
            Example("LuaJIT", "luajit/sleeps.lua", too_old(["luajit", "-v"], (2, 1)))]


def figures(text):
    """The figures that a program printed: own and hpt's; ValueError if a line is missing."""
    source = re.findall(r"^source: (\w+)$", text, re.M)
    read = re.findall(rf"^read: hpt {NUMBER} ns, (\S+) {NUMBER} ns$", text, re.M)
    late = re.findall(rf"^late: (\S+) {NUMBER} us in the median, 90 % within {NUMBER} us$", text, re.M)
    if (len(source), len(read), len(late)) != (1, 1, 2) or late[0][0] != "hpt":
        raise ValueError(f"no figures: {text}")
    return {"source": source[0], "clock": read[0][1], "sleep": late[1][0],
            "read_ns": [float(read[0][2]), float(read[0][0])],
            "late_us": [[float(number) for number in line[1:]] for line in reversed(late)]}
