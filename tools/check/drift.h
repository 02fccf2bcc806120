/* SPDX-License-Identifier: MIT */
/* The error of a clock's rate against CLOCK_MONOTONIC_RAW. */
#ifndef HPT_TOOLS_DRIFT_H
#define HPT_TOOLS_DRIFT_H

#include <stdint.h>

#include "hpt/hpt.h"

/* A sample: the reference was read at some moment between two readings of the clock. */
struct drift_sample {
	hpt_time_t before, after;
	int64_t    raw_ns;
	int64_t    raw_step_ns;         /* the step of the reference */
};

struct drift {
	int64_t  error_ppb;             /* positive: the clock gains, negative: it loses */
	uint64_t uncertainty_ppb;       /* half of the width of what the two samples allow */
	int64_t  raw_ns;                /* the time between them */
};

/* Takes the narrowest of several tries. */
void drift_sample(hpt_clock *clk, struct drift_sample *ret);

/*
 * The rate between two samples of a clock with ticks of ns_a_tick nanoseconds and steps of step_ns. Saturates. Zeros if
 * no time passed.
 */
struct drift drift_between(const struct drift_sample *first, const struct drift_sample *last,
				   double ns_a_tick, int64_t step_ns);

#endif
