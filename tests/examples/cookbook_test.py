#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
The recipes of examples/cookbook in C and C++: each has 15 to 30 lines of code, is made by the command in its first
comment against an installed library, without a warning, runs with each source, and prints figures that add up. Those in
Python and Rust are run by tests/bindings/cookbook_test.py. The arguments are those of consumer_test.py.

Figures are checked by count alone: load may delay anything.
"""
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "consumer"))
import consumer_test as consumer  # noqa: E402
from consumer_test import check, failed, run  # noqa: E402
from installed_lab import arguments, command_of, environment  # noqa: E402

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
COOKBOOK = HERE.parents[1] / "examples/cookbook"
CLOCKSOURCE = "/sys/devices/system/clocksource/clocksource0/current_clocksource"


class Recipe:
    """A program that was made, and the folder in which it runs."""

    def __init__(self, folder, environ, name):
        self.folder, self.environ, self.name = folder, environ, name

    def run(self, *words, before=(), **environ):
        return run([*before, self.folder / self.name, *words], cwd=self.folder, env=dict(self.environ, **environ),
                   timeout=300)

    def says(self, pattern, *words, **environ):
        """What stands for the groups of the pattern, which is all that the program prints; None if it prints else."""
        done = self.run(*words, **environ)
        found = re.fullmatch(pattern, done.stdout)
        title = " ".join([self.name, *words, *(f"{name}={value}" for name, value in environ.items())])
        check(found and done.returncode == 0, f"{title}: what it prints", f"exit {done.returncode}: {done.stdout}")
        return found and found.groups()


def recipe_time_section(recipe, **environ):
    found = recipe.says(r"one round: (\d+) ns, with a read of ([\d.]+) ns, in steps of up to (\d+) ns\n"
                        r"a round of 1000000: ([\d.]+) ns\n", **environ)
    check(found and float(found[3]) > 0, "a round takes time", found)


def recipe_udp_rate(recipe, **environ):
    recipe.says("500 packets sent, 500 received\n", **environ)


def recipe_frames(recipe, **environ):
    found = recipe.says(r"frame (\d+) comes (\d+) ns after the first\n"
                        r"with a period of 16683333 ns frame 1000000 would be 333333 ns early\n", **environ)
    check(found and int(found[0]) >= 60 and int(found[1]) == -(int(found[0]) * -1001 * 10**9 // 60000),
          "the frame's time is exact", found)


def recipe_wake(recipe, **environ):
    recipe.says(r"3[56]\d\d s were left\nwoken: yes\n", **environ)


def recipe_condition(recipe, **environ):
    recipe.says("a time-out, and then work: yes\n", **environ)


# By EINTR at first, then by EBADF.
FAILING = """#include <errno.h>
#include <sys/epoll.h>

int epoll_wait(int epoll, struct epoll_event *event, int most, int timeout)
{
	static int calls;

	(void)epoll, (void)event, (void)most, (void)timeout;
	errno = calls++ ? EBADF : EINTR;
	return -1;
}
"""


def failing_epoll_wait(recipe):
    """A library in which epoll_wait fails."""
    made = recipe.folder / "failing.so"
    (recipe.folder / "failing.c").write_text(FAILING, encoding="ascii")
    done = run(["cc", "-shared", "-fPIC", "-o", made, "failing.c"], cwd=recipe.folder, env=recipe.environ)
    check(done.returncode == 0, "an epoll_wait that fails", done.stdout)
    return made


def recipe_two_tickers(recipe, **environ):
    found = recipe.says(r"ticks: (\d+) of the first ticker, (\d+) of the second\n", **environ)
    check(found and int(found[0]) >= 50 and int(found[1]) >= 20, "all ticks are counted", found)
    done = recipe.run(LD_PRELOAD=str(failing_epoll_wait(recipe)), **environ)
    check(done.returncode == 1 and not done.stdout, "a wait that fails ends it, after one that a signal ended",
          f"exit {done.returncode}: {done.stdout}")


def fields(message):
    """(number, value) of each field of a message of Protocol Buffers that has varints, fixed64 and bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte, at = message[at], at + 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        number, kind = divmod(varint(), 8)
        size = {0: 0, 1: 8, 2: None}[kind]
        size = varint() if size is None else size
        yield number, message[at:at + size] if kind else varint()
        at += size


def check_perfetto(recipe, hpt):
    """By the command in the recipe's comment: each event is there, at its nanosecond on the clock's own line."""
    source = (COOKBOOK / "trace.c").read_text(encoding="utf-8")
    command = re.search(r"^ \*\t(hpt convert --to=perfetto .*)$", source, re.M)[1]
    done = run(["sh", "-c", command], cwd=recipe.folder, env=recipe.environ)
    check(done.returncode == 0 and not done.stdout, command, done.stdout)
    packets = [dict(fields(packet)) for _, packet in fields((recipe.folder / "trace.pftrace").read_bytes())]
    # Field 8 of a packet is its time, 11 its event.
    found = [packet[8] for packet in packets if 11 in packet]
    with open(recipe.folder / "trace.ticks", encoding="ascii") as stdin:
        done = run([hpt, "convert", "--timebase=trace.timebase", "--ns"], cwd=recipe.folder, env=recipe.environ,
                   stdin=stdin)
    check(found == [int(line) for line in done.stdout.split()] and len(found) == 1000,
          "Perfetto's file has the events", (len(packets), found[:3], done.stdout[:100]))


def recipe_trace(recipe, **environ):
    first, last = recipe.says(r"first (\d+) ns, last (\d+) ns\n", **environ) or ("0", "0")
    check(int(first) <= int(last), "the times are in order", (first, last))
    ticks = [int(line) for line in (recipe.folder / "trace.ticks").read_text(encoding="ascii").split()]
    check(len(ticks) == 1000 and ticks == sorted(ticks), "1000 ticks in order", len(ticks))
    hpt = shutil.which("hpt", path=recipe.environ["PATH"])
    if not hpt:
        print("    without the command: the file is not converted")
        return
    with open(recipe.folder / "trace.ticks", encoding="ascii") as stdin:
        done = run([hpt, "convert", "--timebase=trace.timebase", "--unix-ns"], cwd=recipe.folder, env=recipe.environ,
                   stdin=stdin)
    lines = done.stdout.split()
    check(done.returncode == 0 and len(lines) == 1000 and [lines[0], lines[-1]] == [first, last],
          "hpt convert gives the same times", done.stdout[:200])
    check_perfetto(recipe, hpt)


def recipe_manual_clock(recipe, **environ):
    recipe.says("3 backups in 3 h\n", **environ)


def recipe_commit_wait(recipe, **environ):
    found = recipe.says(r"committed at (\d{19})\n", "500", **environ)
    check(found, "half a millisecond is waited for", found)
    done = recipe.run("5000000", **environ)
    check(done.returncode == 1 and "hpt wall says why" in done.stdout, "a bound of 5 s: a time-out", done.stdout)
    for words in (["abc"], ["1ms"], [""], ["-5"], ["1000000001"], ["99999999999999999999"], ["0x10"], ["1.5"],
                  ["500", "500"]):
        done = recipe.run(*words, **environ)
        check(done.returncode == 2 and done.stdout.startswith("usage: commit_wait [ERROR_US]"), f"refused: {words}",
              f"exit {done.returncode}: {done.stdout}")


def recipe_cloud_vm(recipe, **environ):
    kernel = r"the kernel keeps time with: ([\w-]+)\n"
    state = r"state: ok, generation \d+\n"
    found = recipe.says(kernel + r"chosen: (\w+): .+\na read costs \d+ ns\n(?:not the TSC: .+\n)?" + state, **environ)
    if environ.get("HPT_SOURCE"):
        check(found and found[1] == environ["HPT_SOURCE"], "the source is that of HPT_SOURCE", found)
        return
    # The kernel of a guest with kvm-clock, in a mount namespace: the file is all that the library goes by.
    fake = recipe.folder / "clocksource"
    fake.write_text("kvm-clock\n", encoding="ascii")
    before = ["unshare", "-rm", "sh", "-c", f'mount --bind "$0" {CLOCKSOURCE} && exec "$@"', fake]
    if not shutil.which("unshare") or run([*before, "true"]).returncode:
        print("    no mount namespaces: kvm-clock is not played")
        return
    done = recipe.run(before=before, **environ)
    # Where the TSC is chosen otherwise, nothing else speaks against it.
    why = "the kernel keeps time with another clocksource: .+" if found and found[1] == "tsc" else ".+"
    check(re.fullmatch(r"the kernel keeps time with: kvm-clock\nchosen: os: .+\na read costs \d+ ns\n"
                       rf"not the TSC: {why}\n" + state, done.stdout),
          "with kvm-clock the OS clock is chosen, and the TSC's reason is that", done.stdout)


def recipe_audio(recipe, **environ):
    found = recipe.says(r"(\d+) buffers, (\d+) without a callback\n"
                        r"late: ([\d.]+) us in the median, ([\d.]+) us at most\n", **environ)
    check(found and int(found[0]) >= 345 and int(found[1]) < int(found[0]), "each buffer is counted", found)


def recipe_google_benchmark_timer(recipe, **environ):
    done = recipe.run("--benchmark_min_time=0.01", "--benchmark_format=csv", **environ)
    lines = re.findall(r'^"format/\d+/manual_time",\d+,([\d.e+-]+),[\d.e+-]+,ns,,,"(\w+)"', done.stdout, re.M)
    check(done.returncode == 0 and len(lines) == 2 and all(float(time) > 0 for time, _ in lines),
          "two times, by the clock that is named", done.stdout)
    check(not environ.get("HPT_SOURCE") or {source for _, source in lines} == {environ["HPT_SOURCE"]},
          "the label is the source", lines)


def count_lines(source):
    """Lines of code: without the first comment, blank ones, and those that only comment."""
    text = source.read_text(encoding="utf-8")
    if source.suffix in (".c", ".cpp"):
        text = text[text.index("#include"):]
    elif source.suffix == ".rs":
        text = re.sub(r"^//.*\n", "", text, flags=re.M)
    else:
        text = text.split('"""\n', 2)[2]
    return sum(bool(line.strip()) and not re.match(r"\s*(/\*.*\*/|//.*|#[^i].*)$", line) for line in text.split("\n"))


def check_texts():
    """The length of each recipe, and the table of README.md."""
    sources = sorted(path for path in COOKBOOK.iterdir() if path.suffix in (".c", ".cpp", ".py", ".rs"))
    for source in sources:
        check(15 <= count_lines(source) <= 30, f"{source.name} has 15 to 30 lines of code", count_lines(source))
    readme = (COOKBOOK / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|.*$", readme, re.M)
    check(rows == [str(n + 1) for n in range(15)], "README.md has fifteen tasks", rows)
    check(sorted(re.findall(r"`(\w+\.(?:c|cpp|py|rs))`", readme)) == [source.name for source in sources],
          "and lists each file once", sources)


def offer_benchmark(args, tree):
    """Lets pkg-config find google-benchmark, if it is on this machine."""
    done = run([args.pkgconfig, "--libs", "benchmark"])
    if done.returncode or not args.cxx:
        return False
    pathlib.Path(tree.environ["PKG_CONFIG_LIBDIR"], "benchmark.pc").write_text(
        f"Name: benchmark\nDescription: benchmark\nVersion: 1\nLibs: {done.stdout}\n", encoding="ascii")
    return True


def make(source, folder, environ):
    """Makes it by its command, with warnings as errors: the recipe, or None."""
    commands = command_of(source)
    if not check(len(commands) == 1 and f"-o {source.stem} {source.name} " in commands[0],
                 f"{source.name}: the comment has its command", commands):
        return None
    shutil.copy(source, folder)
    standard = "-std=gnu++17" if source.suffix == ".cpp" else "-std=gnu99"
    command = commands[0].replace(" -o", " " + shlex.join([standard, *WARNINGS]) + " -o", 1)
    done = run(["sh", "-c", command], cwd=folder, env=environ)
    if not check(done.returncode == 0 and not done.stdout, f"{source.name}: {commands[0]}", done.stdout):
        return None
    return Recipe(folder, environ, source.stem)


def check_recipes(args, tree, environ, folder):
    tests = {name[len("recipe_"):]: test for name, test in globals().items() if name.startswith("recipe_")}
    sources = {path.stem: path for path in sorted(COOKBOOK.iterdir()) if path.suffix in (".c", ".cpp")}
    check(sorted(sources) == sorted(tests), "each recipe has a test", sorted(sources))
    if not offer_benchmark(args, tree):
        print("    google-benchmark is not installed, or there is no C++ compiler: its recipe is not made")
        sources.pop("google_benchmark_timer", None)
    for name, source in sources.items():
        recipe = make(source, folder, environ)
        # Where a tick is no nanosecond, one that is taken for the other is seen.
        for variables in ({}, {"HPT_SOURCE": "os", "HPT_OS_HZ": "3000000000"}):
            if recipe:
                tests[name](recipe, **variables)


def main():
    args = arguments()
    check_texts()
    with tempfile.TemporaryDirectory(prefix="hpt-cookbook-") as scratch:
        destdir, folder = pathlib.Path(scratch, "dest"), pathlib.Path(scratch, "work")
        folder.mkdir()
        consumer.install(args, destdir)
        tree = consumer.Installed(destdir, args.pkgconfig)
        environ = environment(args, tree, destdir, folder)
        environ["PATH"] = f"{tree.prefix / 'bin'}:{environ['PATH']}"
        check_recipes(args, tree, environ, folder)
    print(f"{len(failed)} failed" if failed else "all well")
    sys.exit(bool(failed))


main()
