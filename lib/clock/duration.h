/* SPDX-License-Identifier: MIT */
/* A clock's current rate, in both directions. */
#ifndef HPT_DURATION_H
#define HPT_DURATION_H

#include "clock/clock.h"

struct hpt_scales {
	struct hpt_scale ns_per_tick, tick_per_ns;
	uint64_t resample_ns; /* durations of this length or more are converted by the latest rate */
};

/* Copies the rates of the current record at any age. The first call makes the first record and may wait 1 ms for it. */
void hpt_time_scales(struct hpt_clock *clk, struct hpt_scales *ret);

/* The counter's step in ticks, by the current record, which must exist. */
uint64_t hpt_time_step(const struct hpt_clock *clk);

#endif
