/* SPDX-License-Identifier: MIT */
/*
 * A fix: where a reference clock stood when the counter stood at some tick, as the interval that the readings prove.
 * Pure functions over pairs of readings; doubles where a rate is bounded, on no read path.
 */
#ifndef HPT_INTERVAL_H
#define HPT_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "rate/sample.h"
#include "math/line.h"

/* At tick the reference stood within ref_ns + [lo_fs, hi_fs]. */
struct hpt_interval {
	uint64_t tick;
	int64_t ref_ns;
	int64_t lo_fs, hi_fs;
};

/* What is known of a rate: all in micro-hertz. hi is UINT64_MAX where nothing is. */
struct hpt_bound {
	uint64_t lo_uhz, hi_uhz;
};

/* The fix that n >= 1 pairs give together, by a slope known to error_ppb. Readings that contradict each other: the narrowest's. */
struct hpt_interval hpt_interval_of(const struct hpt_bracket *p, uint32_t n, struct hpt_scale slope, uint32_t error_ppb, struct hpt_granularity granularity);

/* The middle of its interval, in ns. */
struct hpt_fixed hpt_interval_middle(const struct hpt_interval *interval);

/* The rates at which a counter can have come from fix a to the later fix b. lo above hi: at none. */
struct hpt_bound hpt_interval_bound(const struct hpt_interval *a, const struct hpt_interval *b);

/* The rate from middle to middle; 0 if there is none. */
uint64_t hpt_interval_rate_uhz(const struct hpt_interval *a, const struct hpt_interval *b);

/* Femtoseconds between what fix a foretells for b's tick, by a slope known to error_ppb, and b; 0 if they agree. */
int64_t hpt_interval_gap_fs(const struct hpt_interval *a, const struct hpt_interval *b, struct hpt_scale slope, uint32_t error_ppb);

/* Fix a carried to b's tick by an exact slope, and narrowed by b; false, and b alone, if they contradict each other. ret may be a. */
bool hpt_interval_narrow(const struct hpt_interval *a, const struct hpt_interval *b, struct hpt_scale slope, struct hpt_interval *ret);

static inline struct hpt_bound hpt_bound_both(struct hpt_bound a, struct hpt_bound b)
{
	return (struct hpt_bound){ .lo_uhz = a.lo_uhz > b.lo_uhz ? a.lo_uhz : b.lo_uhz,
				   .hi_uhz = a.hi_uhz < b.hi_uhz ? a.hi_uhz : b.hi_uhz };
}

/* rate +- ppb. */
struct hpt_bound hpt_bound_around(uint64_t uhz, uint64_t ppb);

/* The farthest that the bound reaches from rate, parts per 10^9, rounded up; UINT32_MAX: nothing known. */
uint32_t hpt_bound_error_ppb(struct hpt_bound bound, uint64_t uhz);

#endif
