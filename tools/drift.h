/* SPDX-License-Identifier: MIT */
/* How far a clock's seconds are from CLOCK_MONOTONIC_RAW's. */
#ifndef HPT_TOOLS_DRIFT_H
#define HPT_TOOLS_DRIFT_H

#include <stdint.h>

#include "hpt/hpt.h"

/* The reference was read at some moment between two readings of the clock. */
struct hpt_drift_sample {
	hpt_time_t before, after;
	int64_t    raw_ns;
	int64_t    raw_step_ns;         /* the reference counts in steps so long */
};

struct hpt_drift {
	int64_t  error_ppb;             /* the clock gains so much; below zero: it loses */
	uint64_t uncertainty_ppb;       /* half-width of what the marks allow */
	int64_t  raw_ns;                /* the time between them */
};

/* The narrowest of some tries. */
void hpt_drift_sample(hpt_clock *clk, struct hpt_drift_sample *ret);

/*
 * Between two marks, the clock's ticks being ns_a_tick nanoseconds and its steps step_ns; saturates. Zeros if no time
 * passed.
 */
struct hpt_drift hpt_drift_between(const struct hpt_drift_sample *first, const struct hpt_drift_sample *last, double ns_a_tick,
				   int64_t step_ns);

#endif
