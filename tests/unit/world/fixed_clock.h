/* SPDX-License-Identifier: MIT */
/* A clock of a given rate, which no reading of another clock ever changes. */
#ifndef HPT_TEST_FIXED_CLOCK_H
#define HPT_TEST_FIXED_CLOCK_H

#include <stdlib.h>
#include <string.h>

#include "clock/clock.h"

static inline uint64_t fixed_tick(const struct hpt_source *src)
{
	(void)src;
	return 0;
}

/* At that tick it is unix_ns. The one segment holds all times, so that the clocks are never sampled. */
static inline void fixed_clock(struct hpt_clock *clk, uint64_t uhz, int64_t tick, int64_t unix_ns)
{
	struct hpt_record rec = {
		.convert.ns_per_tick = hpt_scale_of(HPT_UHZ_PER_GHZ, uhz),
		.convert.tick_per_ns = hpt_scale_of(uhz, HPT_UHZ_PER_GHZ),
		.read.unix_ns.slope = hpt_scale_of(HPT_UHZ_PER_GHZ, uhz),
		.convert.unix_per_tick = hpt_scale_of(HPT_UHZ_PER_GHZ, uhz),
		.convert.resample_ns = UINT64_MAX, .read.start = (uint64_t)tick, .convert.span = UINT64_MAX,
		.convert.start_unix_ns = (uint64_t)unix_ns, .rate.frequency_uhz = uhz, .generation = 1,
	};

	memset(clk, 0, sizeof(*clk));
	clk->src.read = fixed_tick;
	if (hpt_seqlatch_write(&clk->latch, (hpt_word *)clk->records, HPT_RECORD_WORDS, (const hpt_word *)&rec, 0, 1))
		abort();
}

#endif
