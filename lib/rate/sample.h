/* SPDX-License-Identifier: MIT */
/* Looking at the clocks: vDSO reads alone, no file and no other system call. */
#ifndef HPT_SAMPLE_H
#define HPT_SAMPLE_H

#include "rate/record.h"
#include "source/source.h"

/* CLOCK_REALTIME less CLOCK_MONOTONIC, between these two; stays the same while nothing odd happens. */
struct hpt_wall_offset {
	int64_t lo_ns, hi_ns;
};

/*
 * A suspend and a step of the wall clock move the one, a new time namespace the other; NTP slews both alike. (BOOTTIME less
 * MONOTONIC would tell the first alone, and the wall clock moves with it.)
 */
struct hpt_wall_offset hpt_wall_offset_take(const struct hpt_source *src);

static inline bool hpt_wall_offset_differs(struct hpt_wall_offset a, struct hpt_wall_offset b)
{
	return a.lo_ns > b.hi_ns || a.hi_ns < b.lo_ns;
}

/* A whole samples. */
void hpt_samples_take(const struct hpt_source *src, struct hpt_samples *ret);

#endif
