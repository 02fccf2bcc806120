/* SPDX-License-Identifier: MIT */
/*
 * Bands of rates: how many nanoseconds of UTC a tick may last. Pure arithmetic; all rounding makes a band wider.
 *
 * What is assumed: within a generation the rate at each moment is in the nominal band, and differs from its average
 * over any stretch of time by at most the wander. So each average that two samples prove narrows the band for the whole
 * generation. It is forgotten after a while nevertheless, as one of the samples may have been false: learned.h.
 */
#ifndef HPT_BAND_H
#define HPT_BAND_H

#include <stdbool.h>
#include <stdint.h>

#include "math/scale.h"

/* Nanoseconds per tick: lo <= hi. */
struct hpt_band {
	struct hpt_scale lo, hi;
};

/* The band, lo less that share and hi plus that share. ppb is below PPB, and whole parts are below 2^32. */
struct hpt_band hpt_band_widened(const struct hpt_band *band, uint32_t ppb);

/* UTC in [lo_ns, hi_ns]. */
struct hpt_utc {
	int64_t lo_ns, hi_ns;
};

/*
 * The average rates that two intervals allow whose moments are at least least_ticks and at most most_ticks apart.
 * 0 < least_ticks <= most_ticks < 2^63, and the times are of the years 1970 to 2225.
 */
struct hpt_band hpt_band_between(struct hpt_utc from, struct hpt_utc to, uint64_t least_ticks, uint64_t most_ticks);

/* Leaves in *band what both have in common. False, and *band is untouched: there is nothing. */
bool hpt_band_cut(struct hpt_band *band, const struct hpt_band *with);

bool hpt_band_is_within(const struct hpt_band *band, const struct hpt_band *of);

/* By how much the rate a is above b, in 10^-9, rounded to nearest; saturates at the int32 range. */
int32_t hpt_band_ppb(struct hpt_scale a, struct hpt_scale b);

#endif
