#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Costs of hpt's reads, and how late its sleeps end, next to those of time and asyncio.

Each round starts a process; in it all candidates take turns. Printed are medians with the 10th and
the 90th percentile of all rounds. How late a sleep of 1 ms ends is seen by time.perf_counter_ns(), which the sleeps
of hpt do not use: one read before the call and one after it. The difference holds the call, and one of these reads.
"""
import argparse
import asyncio
import contextlib
import json
import os
import selectors
import statistics
import subprocess
import sys
import time
import timeit
from array import array

MS = 1_000_000
PASS = "(an empty loop)"


# ---- One round, in a process of its own ----------------------------------------------------------------

def costs(candidates, calls, blocks):
    """ns of one call, without the loop around it; one value for each block"""
    timers = {name: timeit.Timer(statement, globals=names) for name, (statement, names) in candidates.items()}
    timers[PASS] = timeit.Timer("pass")
    for timer in timers.values():
        timer.timeit(calls)
    samples = {name: [] for name in candidates}
    for _ in range(blocks):
        block = {name: timer.timeit(calls) * 1e9 / calls for name, timer in timers.items()}
        for name, values in samples.items():
            values.append(block[name] - block[PASS])
    return samples


def read_costs(hpt, calls, blocks):
    names = {"hpt": hpt, "time": time, "clock": hpt.Clock()}
    # As programs call them: an attribute of a module.
    reads = ["hpt.now()", "hpt.now_unordered()", "hpt.now_ns()", "hpt.now_ns_unordered()", "hpt.unix_ns()",
             "clock.now()", "clock.now_ns()", "time.perf_counter_ns()", "time.monotonic_ns()", "time.time_ns()"]
    return costs({read: (read, names) for read in reads}, calls, blocks)


def conversion_costs(hpt, ticks, blocks):
    """ns a tick, one by one and as a buffer"""
    clock, base = hpt.Clock(), hpt.Timebase.take()
    start = hpt.now()
    buffer = array("q", range(start, start + ticks))
    names = {"clock": clock, "base": base, "start": start, "buffer": buffer, "out": array("q", bytes(8 * ticks))}
    samples = costs({"clock.to_ns(tick)": ("clock.to_ns(start)", names)}, ticks // 20, blocks)
    whole = costs({"timebase.to_ns(buffer), a tick": ("base.to_ns(buffer, out=out)", names)}, 5, blocks)
    return {**samples, **{name: [value / ticks for value in values] for name, values in whole.items()}}


def sleep_lateness(hpt, sleeps):
    """us after the end of 1 ms"""
    candidates = {"hpt.sleep(0.001)": lambda: hpt.sleep(0.001), "hpt.sleep_ns(1_000_000)": lambda: hpt.sleep_ns(MS),
                  "time.sleep(0.001)": lambda: time.sleep(0.001)}
    samples = {name: [] for name in candidates}
    clock = time.perf_counter_ns
    for turn in range(sleeps + 10):
        for name, sleep in candidates.items():
            start = clock()
            sleep()
            end = clock()
            # The first sleeps of a thread learn what the kernel adds.
            if turn >= 10:
                samples[name].append((end - start - MS) / 1000)
    return samples


class Watch(selectors.DefaultSelector):
    """Measures how long the loop is away from its selector: that long it serves nothing else."""

    def __init__(self):
        super().__init__()
        self.left = None
        self.longest = 0

    def select(self, timeout=None):
        if self.left is not None:
            self.longest = max(self.longest, time.perf_counter_ns() - self.left)
        try:
            return super().select(timeout)
        finally:
            self.left = time.perf_counter_ns()


async def asyncio_round(hpt, watch, sleeps):
    candidates = {"asyncio.sleep(0.001)": lambda: asyncio.sleep(0.001),
                  "hpt.sleep_async(0.001)": lambda: hpt.sleep_async(0.001),
                  "hpt.sleep_async(0.001, max_spin_ns=0)": lambda: hpt.sleep_async(0.001, max_spin_ns=0)}
    late = {name: [] for name in candidates}
    blocked = {name: [] for name in candidates}
    for turn in range(sleeps + 10):
        for name, sleep in candidates.items():
            # A pass of the loop without work, so that what came before is not counted.
            await asyncio.sleep(0)
            watch.longest = 0
            start = time.perf_counter_ns()
            await sleep()
            end = time.perf_counter_ns()
            await asyncio.sleep(0)
            if turn >= 10:
                late[name].append((end - start - MS) / 1000)
                blocked[name].append(watch.longest / 1000)
    return late, blocked


def asyncio_lateness(hpt, sleeps):
    """us after the end of 1 ms, and us of the longest stay outside of the selector"""
    watch = Watch()
    loop = asyncio.SelectorEventLoop(watch)
    try:
        return loop.run_until_complete(asyncio_round(hpt, watch, sleeps))
    finally:
        loop.close()


def measure(args):
    import hpt  # pylint: disable=import-outside-toplevel
    late, blocked = asyncio_lateness(hpt, args.sleeps)
    parts = [("read", "ns", read_costs(hpt, args.calls, args.blocks)),
             ("conversion", "ns", conversion_costs(hpt, args.ticks, args.blocks)),
             ("sleep", "us", sleep_lateness(hpt, args.sleeps)), ("asyncio", "us", late), ("blocked", "us", blocked)]
    info = hpt.info()
    return {"source": info.source.name.lower(), "version": hpt.__version__,
            "samples": [[part, unit, name, values] for part, unit, found in parts for name, values in found.items()]}


# ---- All rounds ----------------------------------------------------------------------------------------

def run_round(words):
    done = subprocess.run([sys.executable, os.path.abspath(__file__), *words, "--round"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, universal_newlines=True)
    if done.returncode:
        sys.exit(f"bench: {done.stderr.strip()}")
    return json.loads(done.stdout)


@contextlib.contextmanager
def busy(count):
    """This many processes that compute all the time"""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def percentiles(values):
    values = sorted(values)
    return [values[round((len(values) - 1) * share)] for share in (0.1, 0.9)]


def collect(rounds):
    """One row for each part and candidate"""
    samples = {}
    for found in rounds:
        for part, unit, name, values in found["samples"]:
            samples.setdefault((part, name, unit), []).extend(values)
    rows = []
    for (part, name, unit), values in samples.items():
        low, high = percentiles(values)
        rows.append({"part": part, "name": name, "unit": unit, "n": len(values),
                     "median": round(statistics.median(values), 3), "p10": round(low, 3), "p90": round(high, 3)})
    return rows


TITLES = {
    "read": "A read, ns",
    "conversion": "A conversion, ns",
    "sleep": "A sleep of 1 ms: later than that, us",
    "asyncio": "A sleep of 1 ms in asyncio: later than that, us",
    "blocked": "In it: the longest time without the loop, us",
}


def print_table(result):
    print(f"hpt {result['version']} on {result['source']}, Python {result['python']}, {result['rounds']} rounds, "
          f"{result['load']} busy processes")
    for part, title in TITLES.items():
        print(f"\n{title:50} {'median':>9} {'p10':>9} {'p90':>9}")
        for row in result["results"]:
            if row["part"] == part:
                print(f"  {row['name']:48} {row['median']:9.2f} {row['p10']:9.2f} {row['p90']:9.2f}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--load", type=int, default=0, metavar="N", help="with N processes that compute all the time")
    parser.add_argument("--json", action="store_true")
    for name, default, what in (("rounds", 5, "processes"), ("sleeps", 200, "of each kind a round"),
                                ("blocks", 15, "of calls a round"), ("calls", 20000, "a block"),
                                ("ticks", 100000, "in a buffer")):
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N", help=f"{what}; default: {default}")
    parser.add_argument("--round", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    args = arguments()
    if args.round:
        json.dump(measure(args), sys.stdout)
        return
    if args.rounds < 1:
        sys.exit("bench: nothing to measure")
    with busy(args.load):
        rounds = [run_round(sys.argv[1:]) for _ in range(args.rounds)]
    result = {"version": rounds[0]["version"], "source": rounds[0]["source"], "python": sys.version.split()[0],
              "rounds": args.rounds, "load": args.load, "results": collect(rounds)}
    if args.json:
        json.dump(result, sys.stdout, indent=1)
        print()
    else:
        print_table(result)


main()
