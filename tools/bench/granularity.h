/* SPDX-License-Identifier: MIT */
/* By how much a counter moves. */
#ifndef HPT_BENCH_GRANULARITY_H
#define HPT_BENCH_GRANULARITY_H

#include <stddef.h>
#include <stdint.h>

#include "hpt/hpt.h"

/* Ticks; both 0 for a counter that was not seen to move. */
struct hpt_granularity {
	int64_t step;                   /* it moves by multiples of this */
	int64_t least;                  /* the least difference above 0 between two reads */
};

/* Reads it for 2 ms; one that hardly moves meanwhile for up to 50 ms, until it has moved twice. */
struct hpt_granularity hpt_granularity_measure(int64_t (*read)(hpt_clock *clk), hpt_clock *clk);

/*
 * From differences between back-to-back reads: @still of them were 0, @moved (sorted here) are those above 0.
 *
 * The greatest common divisor of all differences would be 1 for a counter that moves by 26 ticks: AMD's Zen adds 1 to a
 * TSC that has not moved since it was last read, and counters of other rates are rounded to whole ticks. So, as
 * lib/source/read_cost.c does it: what is more than twice the median (somebody came between two reads) is left out; differences
 * that lie at most 1 apart are one cluster, which counts as its most frequent value; the step is the greatest common
 * divisor of the distances between clusters, remainders of 1 being none. A cluster of more than two neighbours is a
 * counter finer than its reads scatter: step 1. With one cluster alone the step is no larger than that: it is the step.
 * Of a counter that mostly stands still between two reads the step is the median move: two moves of one step each may
 * then differ by more than 1, for the kernel slews its clocks by up to 500 ppm.
 */
struct hpt_granularity hpt_granularity_of(int64_t *moved, size_t n, size_t still);

#endif
