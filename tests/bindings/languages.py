#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Measures libhpt in each language, next to the language's own clock and sleep, and prints a table in Markdown.

The library must be installed where pkg-config and the loader find it. A language whose toolchain is missing has no row;
the reason goes to standard error. Rust and Python fetch what they need from their package indexes. Each round runs one
short program of each language after the other, so that all have the same load. The table has medians over the rounds.
"""
import argparse
import json
import os
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

from examples_lab import ROOT, examples, figures

HERE = pathlib.Path(__file__).resolve().parent
HEADER = """\
| Language | Install | A sleep of 1 ms | A read, ns: own -> hpt | A sleep of 1 ms is late by, us: own -> hpt |
|---|---|---|---|---|"""


class Missing(Exception):
    """Why a language has no figures."""


def run(words, **more):
    """What the command prints; Missing if it fails."""
    words = [str(word) for word in words]
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                              check=False, **more)
    except OSError as error:
        raise Missing(f"{words[0]}: {error.strerror}") from error
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "no words").splitlines()[-1]
        raise Missing(f"{shlex.join(words)}: exit {done.returncode}: {last}")
    return done.stdout


# ---- Languages ----------------------------------------------------------------------------------------
#
# Each has prepare(), which may raise Missing, and measure(), which returns the figures of one round: source, clock,
# sleep, read_ns [own, hpt] and late_us [own, hpt], where each lateness is [median, 90 % within]. A round has some 100
# sleeps of each kind.

class Language:
    def __init__(self, name, install, line):
        self.name, self.install, self.line = name, install, line


class Compiled(Language):
    """C and C++: a program in the folder languages."""

    def __init__(self, name, install, line, compiler, source):
        super().__init__(name, install, line)
        self.compiler, self.source, self.program = compiler, source, None

    def prepare(self, scratch):
        self.program = scratch / self.source.replace(".", "_")
        flags = shlex.split(run([os.environ.get("PKG_CONFIG", "pkg-config"), "--cflags", "--libs", "libhpt"]))
        run([*self.compiler, "-O2", "-pthread", "-o", self.program, HERE / "languages" / self.source, *flags])

    def measure(self):
        return figures(run([self.program]))


class Exemplified(Language):
    """An example of examples/."""

    def __init__(self, name, install, line, example):
        super().__init__(name, install, line)
        self.example = example

    def prepare(self, scratch):
        if self.example.why_not:
            raise Missing(self.example.why_not)
        self.example.copy(scratch)
        for command in self.example.builds:
            run(["sh", "-c", command], cwd=self.example.folder)

    def measure(self):
        return figures(run(self.example.program, cwd=self.example.folder))


class Python(Language):
    """bindings/python/bench.py, in an environment where the package is installed."""

    def prepare(self, scratch):
        folder = scratch / "python"
        self.python = folder / "new/bin/python"
        # A copy, so that the build leaves the tree alone.
        for part in ("bindings/python", "include", "lib"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("build", "*.egg-info", ".*"))
        run([sys.executable, "-m", "venv", folder / "new"])
        run([folder / "new/bin/python", "-m", "pip", "install", "--quiet", folder / "bindings/python"])

    def measure(self):
        words = ["--json", "--rounds", 1, "--sleeps", 100, "--blocks", 5, "--ticks", 100]
        found = json.loads(run([self.python, ROOT / "bindings/python/bench.py", *words]))
        rows = {row["name"]: row for row in found["results"] if row["part"] in ("read", "sleep")}
        return {"source": found["source"], "clock": "time.perf_counter_ns", "sleep": "time.sleep",
                "read_ns": [rows[name]["median"] for name in ("time.perf_counter_ns()", "hpt.now_ns()")],
                "late_us": [[rows[name][part] for part in ("median", "p90")]
                            for name in ("time.sleep(0.001)", "hpt.sleep(0.001)")]}


class Rust(Language):
    """bindings/rust/bench."""

    def prepare(self, scratch):
        target = scratch / "rust"
        run(["cargo", "build", "--quiet", "--release", "--manifest-path", ROOT / "bindings/rust/bench/Cargo.toml",
             "--target-dir", target])
        self.program = target / "release/hpt-bench"

    def measure(self):
        # A round of this program has nine sleeps of each kind.
        found = json.loads(run([self.program, "--json", "--rounds", 11]))
        reads = {row["name"]: row["ns"] for row in found["reads"]}
        late = {row["name"]: row["late_us"] for row in found["sleeps"]}
        return {"source": found["source"], "clock": "std::time::Instant", "sleep": "std::thread::sleep",
                "read_ns": [reads[name]["median"] for name in ("std Instant::now", "hpt Instant::now")],
                "late_us": [[late[name][part] for part in ("median", "p90")]
                            for name in ("std thread::sleep", "hpt sleep")]}


def languages(java):
    go, jvm, node, luajit = examples(java)
    return [
        Compiled("C", "the library", "hpt_sleep_ns(NULL, 1000000);", ["cc", "-std=gnu11"], "sleeps.c"),
        Compiled("C++", "the library, with `hpt/hpt.hpp`", "hpt::sleep_for(1ms);", ["c++", "-std=c++11"], "sleeps.cpp"),
        Python("Python", "`pip install ./bindings/python`", "hpt.sleep(0.001)"),
        Rust("Rust", '`hpt = { path = "bindings/rust/hpt" }`', "hpt::sleep(Duration::from_millis(1));"),
        Exemplified("Go", "cgo: see `examples/go`", "C.hpt_waiter_sleep_ns(waiter, 1000000)", go),
        Exemplified("Java", "FFM: see `examples/java`", "SLEEP.invokeExact(waiter, 1_000_000L);", jvm),
        Exemplified("Node", "an addon: see `examples/node`", "await hpt.sleep(sleeper, 1000000n);", node),
        Exemplified("LuaJIT", "FFI: see `examples/luajit`", "hpt.hpt_waiter_sleep_ns(waiter, 1000000)", luajit),
    ]


# ---- Rounds and the table -----------------------------------------------------------------------------

def prepared(wanted, scratch):
    """The languages that can be measured here."""
    ready = []
    for language in wanted:
        try:
            language.prepare(scratch)
            ready.append(language)
        except Missing as why:
            print(f"languages: {language.name}: {why}", file=sys.stderr)
    return ready


def measure(ready, rounds):
    found = {language.name: [] for language in ready}
    for number in range(rounds):
        # Each round begins with another language.
        for index in range(len(ready)):
            language = ready[(number + index) % len(ready)]
            found[language.name].append(language.measure())
    return found


def middle(values):
    """The median of the rounds, with the least and the greatest."""
    return [statistics.median(values), min(values), max(values)]


def summary(rounds):
    """The figures of one language over all rounds: own and hpt's."""
    return {"source": rounds[0]["source"], "clock": rounds[0]["clock"], "sleep": rounds[0]["sleep"],
            "read_ns": [middle([one["read_ns"][side] for one in rounds]) for side in (0, 1)],
            "late_us": [[middle([one["late_us"][side][part] for one in rounds]) for part in (0, 1)]
                        for side in (0, 1)]}


def short(number):
    """Two digits, or all before the point."""
    return f"{number:.0f}" if abs(number) >= 9.95 else f"{number:.1f}" if abs(number) >= 0.95 else f"{number:.2f}"


def row(language, found):
    read = " -> ".join(short(side[0]) for side in found["read_ns"])
    late = " -> ".join(f"{short(median[0])} ({short(most[0])})" for median, most in found["late_us"])
    return f"| {language.name} | {language.install} | `{language.line}` | {read} | {late} |"


def spread(language, found):
    read = ", ".join(f"{short(least)} to {short(most)}" for _, least, most in found["read_ns"])
    late = ", ".join(f"{short(median[1])} to {short(median[2])}" for median, _ in found["late_us"])
    return (f"- {language.name}: {found['clock']} and hpt: a read {read} ns; {found['sleep']} and hpt: late by "
            f"{late} us.")


def print_table(ready, found, rounds):
    print(HEADER)
    for language in ready:
        print(row(language, found[language.name]))
    sources = ", ".join(sorted({one["source"] for one in found.values()}))
    print(f"\nThe source is {sources}. Lateness is the median, in brackets what 90 % stay within. Each figure is the "
          f"median of\n{rounds} rounds; the medians of single rounds spread thus:\n")
    for language in ready:
        print(spread(language, found[language.name]))


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=positive, default=10, metavar="N", help="default: 10")
    parser.add_argument("--java", default="java", metavar="PATH", help="of version 22 or later; see fetch-jdk")
    parser.add_argument("--only", action="append", metavar="LANGUAGE", help="this row; may be repeated")
    return parser.parse_args()


def main():
    args = arguments()
    wanted = languages(args.java)
    names = [language.name for language in wanted]
    if args.only and not set(args.only) <= set(names):
        sys.exit(f"languages: the rows are {', '.join(names)}")
    wanted = [language for language in wanted if not args.only or language.name in args.only]
    with tempfile.TemporaryDirectory(prefix="hpt-languages-") as folder:
        ready = prepared(wanted, pathlib.Path(folder))
        try:
            found = measure(ready, args.rounds)
        except Missing as why:
            sys.exit(f"languages: {why}")
    print_table(ready, {name: summary(rounds) for name, rounds in found.items()}, args.rounds)


if __name__ == "__main__":
    main()
