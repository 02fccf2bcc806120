/* SPDX-License-Identifier: MIT */
/*
 * Intervals: the range of times that a reference clock can have had at one tick of the counter, as brackets prove it.
 * Pure functions. Bounds of rates are computed in doubles, not on any read path.
 */
#ifndef HPT_INTERVAL_H
#define HPT_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "rate/sample.h"
#include "math/line.h"

/* At `tick` the reference clock stood within ref_ns + [lo_fs, hi_fs]. */
struct hpt_interval {
	uint64_t tick;
	int64_t ref_ns;
	int64_t lo_fs, hi_fs;
};

/* The range that contains a rate, in micro-hertz. hi_uhz is UINT64_MAX if nothing is known. */
struct hpt_rates {
	uint64_t lo_uhz, hi_uhz;
};

static const struct hpt_rates hpt_rates_none = { 0, UINT64_MAX };

/*
 * The interval that n >= 1 brackets prove together, by a slope known to error_ppb; by the narrowest bracket alone if
 * they contradict each other.
 */
struct hpt_interval hpt_interval_of(const struct hpt_bracket *b, uint32_t n, struct hpt_scale slope, uint32_t error_ppb,
				    struct hpt_granularity granularity);

/* The middle of an interval, in ns. */
struct hpt_fixed hpt_interval_middle(const struct hpt_interval *interval);

/* The rates at which a counter can have gone from interval a to the later interval b. lo above hi: no rate fits. */
struct hpt_rates hpt_interval_rates(const struct hpt_interval *a, const struct hpt_interval *b);

/* The rate from the middle of a to the middle of b; 0 if time or counter did not advance. */
uint64_t hpt_interval_rate_uhz(const struct hpt_interval *a, const struct hpt_interval *b);

/*
 * The gap in femtoseconds between b and the interval that a predicts for b's tick, by a slope known to error_ppb; 0 if
 * they overlap.
 */
int64_t hpt_interval_gap_fs(const struct hpt_interval *a, const struct hpt_interval *b, struct hpt_scale slope,
			    uint32_t error_ppb);

/*
 * How far ns, a time at `tick`, may be from the reference clock, in ns rounded up, by an interval and a slope known to
 * error_ppb; UINT32_MAX: farther, or not known.
 */
uint32_t hpt_interval_error_ns(const struct hpt_interval *interval, uint64_t tick, int64_t ns, struct hpt_scale slope,
			       uint64_t error_ppb);

/*
 * Moves a to b's tick by a slope known to error_ppb and intersects it with b. False, and *ret is b: no overlap. ret may
 * be a.
 */
bool hpt_interval_narrow(const struct hpt_interval *a, const struct hpt_interval *b, struct hpt_scale slope,
			 uint32_t error_ppb, struct hpt_interval *ret);

/* The rates in both. lo above hi: there are none. */
static inline struct hpt_rates hpt_rates_both(struct hpt_rates a, struct hpt_rates b)
{
	return (struct hpt_rates){ .lo_uhz = a.lo_uhz > b.lo_uhz ? a.lo_uhz : b.lo_uhz,
				   .hi_uhz = a.hi_uhz < b.hi_uhz ? a.hi_uhz : b.hi_uhz };
}

static inline bool hpt_rates_is_empty(struct hpt_rates rates)
{
	return rates.lo_uhz > rates.hi_uhz;
}

/* The range that contains both. */
static inline struct hpt_rates hpt_rates_either(struct hpt_rates a, struct hpt_rates b)
{
	return (struct hpt_rates){ .lo_uhz = a.lo_uhz < b.lo_uhz ? a.lo_uhz : b.lo_uhz,
				   .hi_uhz = a.hi_uhz > b.hi_uhz ? a.hi_uhz : b.hi_uhz };
}

/* The range uhz +- ppb. */
struct hpt_rates hpt_rates_around(uint64_t uhz, uint64_t ppb);

/* The distance from uhz to the further end of the rates, in parts per 10^9, rounded up; UINT32_MAX: not known. */
uint32_t hpt_rates_error_ppb(struct hpt_rates rates, uint64_t uhz);

#endif
