/* SPDX-License-Identifier: MIT */
/* A clock's rate, both ways. */
#ifndef HPT_CLOCK_TIME_H
#define HPT_CLOCK_TIME_H

#include "clock/clock.h"

struct hpt_rates {
	struct hpt_scale ns_per_tick, tick_per_ns;
	uint64_t resample_ns; /* a duration this long deserves the latest rate */
};

/* The current record's rates, whatever its age. */
void hpt_time_rates(struct hpt_clock *clk, struct hpt_rates *ret);

#endif
