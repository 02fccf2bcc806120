/* SPDX-License-Identifier: MIT */
/* The granularity of a counter: by how much it moves. */
#ifndef HPT_TOOLS_GRANULARITY_H
#define HPT_TOOLS_GRANULARITY_H

#include <stddef.h>
#include <stdint.h>

#include "hpt/hpt.h"

/* In ticks; both 0 for a counter that did not move. */
struct counter_granularity {
	int64_t step;                   /* the counter moves by multiples of this */
	int64_t least;                  /* the least difference above 0 between two reads */
};

/* Reads the counter for 2 ms, or, if it has not moved twice by then, for up to 50 ms until it has. */
struct counter_granularity granularity_measure(int64_t (*read)(hpt_clock *clk), hpt_clock *clk);

/*
 * From differences between back-to-back reads: @still of them were 0, @moved (sorted here) are those above 0. The
 * greatest common divisor of all differences would be 1 for a counter that moves by 26 ticks: AMD's Zen adds 1 to a TSC
 * that has not moved since the last read, and counters of other rates are rounded to whole ticks. So, as in
 * lib/source/read_cost.c: differences above twice the median (an interruption between two reads) are left out;
 * differences at most 1 apart form a cluster, which counts as its most frequent value; the step is the greatest common
 * divisor of the distances between clusters, where a remainder of 1 counts as 0. A cluster of more than two neighbours
 * shows a counter finer than the scatter of its reads: step 1. A single cluster is itself the step, which cannot be
 * larger. For a counter that mostly stands still between two reads the step is the median move: two moves of one step
 * each may then differ by more than 1, because the kernel slews its clocks by up to 500 ppm.
 */
struct counter_granularity granularity_of(int64_t *moved, size_t n, size_t still);

#endif
