/* SPDX-License-Identifier: MIT */
/* One sleep: its length, and the times measured of it. */
#ifndef HPT_TOOLS_ONE_SLEEP_H
#define HPT_TOOLS_ONE_SLEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

struct sleep_length {
	hpt_clock *clk;                 /* to sleep on; the stopwatch's clock */
	bool is_tsc;                    /* see stopwatch_by() */
	int64_t ns, ticks;              /* the length of the sleep */
	int64_t jiffy_ns;
};

/* Times are ticks of the stopwatch. */
struct sleep_times {
	int64_t before, after;          /* before and after the call: the papers' T1, T4 */
	int64_t target;                 /* the requested end; 0: the caller fixed no end */
	int64_t entered, left;          /* the papers' T2, T3: reads that fix the target, end the sleep; 0: unknown */
	int64_t cpu_ns;                 /* CLOCK_THREAD_CPUTIME_ID */
	int64_t user_us, system_us;     /* getrusage() */
};

#endif
