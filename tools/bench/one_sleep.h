/* SPDX-License-Identifier: MIT */
/* One sleep: its length, and the times that were taken of it. */
#ifndef HPT_BENCH_ONE_SLEEP_H
#define HPT_BENCH_ONE_SLEEP_H

#include <stdint.h>

#include "hpt/hpt.h"

struct hpt_sleep_length {
	hpt_clock *clk;                 /* of the stopwatch */
	int64_t ns, ticks;              /* the length */
	int64_t jiffy_ns;
};

/* Ticks of the stopwatch. */
struct hpt_sleep_times {
	int64_t before, after;          /* around the call: the papers' T1, T4 */
	int64_t target;                 /* that it was to end at; 0: the caller fixed none */
	int64_t entered, left;          /* the papers' T2, T3: when the way had its target, its last look at the clock; 0: unknown */
	int64_t cpu_ns;                 /* CLOCK_THREAD_CPUTIME_ID */
	int64_t user_us, system_us;     /* getrusage() */
};

#endif
