#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mistakes that once compiled and went on silently: the compiler refuses them.

Each stands beside what was meant, which compiles.

Those that only a run shows are in tests/process/traps.c.
"""
import argparse
import shlex
import subprocess

from tap import Tap

HEAD = """#include <hpt/hpt.h>
#include <hpt/wall.h>
int f(hpt_clock *clk, hpt_waiter *w, hpt_gate *g, hpt_ticker *t, hpt_wall *wall);
int f(hpt_clock *clk, hpt_waiter *w, hpt_gate *g, hpt_ticker *t, hpt_wall *wall)
{
	struct hpt_clock_info info = { 0 };
	struct hpt_source_info source = { 0 };
	struct hpt_wall_config config = { 0 };
	int64_t ns = 0;
	hpt_time_t tick = 0;

	(void)clk, (void)w, (void)g, (void)t, (void)wall, (void)info, (void)source, (void)config, (void)ns, (void)tick;
	return %s;
}
"""

# (the mistake, what is written, what is meant)
CASES = (
    ("a time in nanoseconds for a short name of ticks", "hpt_sleep_until(clk, hpt_now_ns(clk) + 1000)",
     "hpt_sleep_until_ns(clk, hpt_now_ns(clk) + 1000)"),
    ("the same on a waiter", "hpt_waiter_sleep_until(w, hpt_now_ns(clk) + 1000)",
     "hpt_waiter_sleep_until_ns(w, hpt_now_ns(clk) + 1000)"),
    ("the same at a gate", "hpt_gate_sleep_until(g, hpt_gate_ticket(g), hpt_now_ns(clk) + 1000)",
     "hpt_gate_wait_until_ns(g, hpt_gate_ticket(g), hpt_now_ns(clk) + 1000)"),
    ("a rest in ticks", "(int)hpt_waiter_remaining(w)", "hpt_waiter_remaining_ns(w, &ns)"),
    ("a ticker's time in ticks", "hpt_ticker_next(t, &tick)", "hpt_ticker_next_ns(t, &ns)"),
    ("a source for a clock", "hpt_clock_set_default(HPT_SOURCE_OS, 0)",
     "hpt_clock_set_default_source(HPT_SOURCE_OS, 0)"),
    ("a clock for a source", "hpt_clock_set_default_source(clk, 0)", "hpt_clock_set_default(clk, 0)"),
    ("facts of another kind", "hpt_clock_get_info(clk, &source, sizeof(source))",
     "hpt_clock_get_info(clk, &info, sizeof(info))"),
    ("a wall's constant of no kind", "(int)(config.sources = HPT_WALL_PHC)",
     "(int)(config.sources = HPT_WALL_SOURCE_PHC)"),
    ("wall and waiter in the other order", "hpt_wall_wait_after_on(w, wall, 0, 0)",
     "hpt_wall_wait_after_on(wall, w, 0, 0)"),
    ("a commit wait whose result nobody looks at", "({ hpt_wall_wait_after(wall, 0, 0); 0; })",
     "hpt_wall_wait_after(wall, 0, 0)"),
)


def complaint(command, include, expression):
    return subprocess.run([*command, "-std=c11", "-Wall", "-Wextra", "-Werror", "-S", "-o", "/dev/null", "-I",
                           include, "-x", "c", "-"], input=HEAD % expression, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, check=False)


def main():
    parser = argparse.ArgumentParser()
    for name in ("include", "cc"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    tap = Tap()
    for what, wrong, right in CASES:
        refused, taken = (complaint(shlex.split(args.cc), args.include, text) for text in (wrong, right))
        tap.result(refused.returncode and not taken.returncode, f"refused: {what}",
                   [f"compiles: {wrong}"] * (not refused.returncode) + taken.stdout.splitlines())
    tap.end()


main()
