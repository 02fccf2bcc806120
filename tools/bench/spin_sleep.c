// SPDX-License-Identifier: MIT
/*
 * SpinSleeper::sleep_until() as it is by default on Linux (version 1.3): thread::sleep() until the accuracy before the
 * deadline, then yield_now() until Instant::now() has reached it. See tools/bench/spin_sleep.h.
 */
#include "bench/spin_sleep.h"

#include <sched.h>
#include <time.h>

#include "cli/stopwatch.h"
#include "math/units.h"

static void sleep_in_kernel(int64_t ns)
{
	struct timespec ts = { (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };

	nanosleep(&ts, NULL);
}

/* The stopwatch is read before CLOCK_MONOTONIC, as in sleep_absolute() of candidates_sleep.c. */
int spin_sleep(const struct sleep_length *asked, struct sleep_times *ret)
{
	const bool is_tsc = asked->is_tsc;
	hpt_clock *const clk = asked->clk;
	int64_t deadline_ns;

	ret->before = stopwatch_by(is_tsc, clk);
	ret->target = stopwatch_by(is_tsc, clk) + asked->ticks;
	deadline_ns = stopwatch_os_ns(CLOCK_MONOTONIC) + asked->ns;
	if (asked->ns > SPIN_SLEEP_ACCURACY_NS)
		sleep_in_kernel(asked->ns - SPIN_SLEEP_ACCURACY_NS);
	while (stopwatch_os_ns(CLOCK_MONOTONIC) < deadline_ns)
		sched_yield();
	ret->after = stopwatch_by(is_tsc, clk);
	return 0;
}
