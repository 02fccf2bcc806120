// SPDX-License-Identifier: MIT
/*
 * Cost of hpt.hpp compared with the C calls: see rows.h. The second hpt_now_ns shows the spread of two equal loops. A
 * sleep until a past time returns at once, so its cost is that of the call.
 *
 * usage: bench_cpp [ROUNDS [CALLS]]
 */
#include "calls.h"
#include "rows.h"

/* The same call in two loops differs by this much; steady_clock also has its clamp: two loads and a comparison. */
#define EQUAL 1.01
#define CLAMP 1.03

enum { NS, NS_AGAIN, MONOTONIC, STEADY, UNIX, SYSTEM, TICKS, TICK_CLOCK, TIMER, BARE, TICK_BARE, WAITER, SLEEPER,
       WAITER_NS, SLEEPER_STEADY };

static const struct bench_row rows[] = {
	[NS] = { "hpt_now_ns", loop_ns, BENCH_NO_BASE, 0, BENCH_NO_BASE, 0 },
	[NS_AGAIN] = { "hpt_now_ns again", loop_ns_again, NS, 0, BENCH_NO_BASE, 0 },
	[MONOTONIC] = { "hpt_now_monotonic_ns", loop_monotonic, BENCH_NO_BASE, 0, BENCH_NO_BASE, 0 },
	[STEADY] = { "steady_clock::now", loop_steady, MONOTONIC, CLAMP, BENCH_NO_BASE, 0 },
	[UNIX] = { "hpt_now_unix_ns", loop_unix, BENCH_NO_BASE, 0, BENCH_NO_BASE, 0 },
	[SYSTEM] = { "system_clock::now", loop_system, UNIX, EQUAL, BENCH_NO_BASE, 0 },
	[TICKS] = { "hpt_now", loop_ticks, BENCH_NO_BASE, 0, BENCH_NO_BASE, 0 },
	[TICK_CLOCK] = { "tick_clock::now", loop_tick_clock, TICKS, EQUAL, BENCH_NO_BASE, 0 },
	[TIMER] = { "timer::now", loop_timer, TICKS, EQUAL, BENCH_NO_BASE, 0 },
	[BARE] = { "hpt_now_unordered", loop_bare, BENCH_NO_BASE, 0, BENCH_NO_BASE, 0 },
	[TICK_BARE] = { "tick_clock::now_unordered", loop_tick_clock_bare, BARE, EQUAL, BENCH_NO_BASE, 0 },
	[WAITER] = { "hpt_waiter_sleep_until_ticks", loop_waiter, BENCH_NO_BASE, 0, BENCH_NO_BASE, 0 },
	[SLEEPER] = { "sleeper::sleep_until", loop_sleeper, WAITER, EQUAL, BENCH_NO_BASE, 0 },
	[WAITER_NS] = { "hpt_waiter_sleep_until_ns", loop_waiter_ns, BENCH_NO_BASE, 0, BENCH_NO_BASE, 0 },
	/* Three reads more: two for the deadline, and one after it. */
	[SLEEPER_STEADY] = { "sleeper::sleep_until, steady", loop_sleeper_steady, WAITER_NS, 0, BENCH_NO_BASE, 0 },
};

int main(int argc, char **argv)
{
	struct bench_effort effort = { .rounds = 500, .calls = 2000 };

	if (!bench_effort_of(argc, argv, &effort))
		return 2;
	bench_pin();
	bench_rows(rows, sizeof(rows) / sizeof(rows[0]), effort);
	return 0;
}
