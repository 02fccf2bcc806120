// SPDX-License-Identifier: MIT
/*
 * SpinSleeper::sleep_until() as it is by default on Linux (version 1.3): thread::sleep() until the accuracy before the
 * deadline, then yield_now() until Instant::now() has reached it. See tools/bench/spin_sleep.h.
 */
#include "bench/spin_sleep.h"

#include <sched.h>
#include <time.h>

#include "cli/stopwatch.h"
#include "cli/units.h"

static void sleep_in_kernel(int64_t ns)
{
	struct timespec ts = { (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };

	nanosleep(&ts, NULL);
}

/* The stopwatch is read before CLOCK_MONOTONIC, as in sleep_absolute() of candidates_sleep.c. */
int hpt_spin_sleep(const struct hpt_sleep_length *asked, struct hpt_sleep_times *ret)
{
	const bool is_tsc = asked->is_tsc;
	hpt_clock *const clk = asked->clk;
	int64_t deadline_ns;

	ret->before = hpt_stopwatch_by(is_tsc, clk);
	ret->target = hpt_stopwatch_by(is_tsc, clk) + asked->ticks;
	deadline_ns = hpt_os_ns(CLOCK_MONOTONIC) + asked->ns;
	if (asked->ns > HPT_SPIN_SLEEP_ACCURACY_NS)
		sleep_in_kernel(asked->ns - HPT_SPIN_SLEEP_ACCURACY_NS);
	while (hpt_os_ns(CLOCK_MONOTONIC) < deadline_ns)
		sched_yield();
	ret->after = hpt_stopwatch_by(is_tsc, clk);
	return 0;
}
