// SPDX-License-Identifier: MIT
/* Intervals, and the rates and gaps that follow from two of them: lib/rate/interval.h. */
#include "rate/interval.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "math/units.h"
#include "source/source.h"

/* Each operation on doubles loses up to 1 in 2^53. Bounds are widened by more than the few operations lose. */
#define INTERVAL_ROUNDING 1e-15

/* Brackets of a group are microseconds apart. The limit keeps sums from overflowing after a jump or a stop of hours. */
#define APART_MAX_FS INT64_C(1000000000000000000)
/* The slack of a bracket at that limit: more than its error can be; both together are below half the int64 range. */
#define SAYS_NOTHING_FS (3 * APART_MAX_FS)

static int64_t limited_fs(int64_t fs)
{
	return fs > APART_MAX_FS ? APART_MAX_FS : fs < -APART_MAX_FS ? -APART_MAX_FS : fs;
}

static int64_t ticks_fs(uint64_t ticks, struct hpt_scale slope)
{
	return limited_fs(hpt_fixed_fs(hpt_slope_times(ticks, slope)));
}

static int64_t ns_fs(int64_t ns)
{
	const int64_t most_ns = APART_MAX_FS / FS_PER_NS;

	return (ns > most_ns ? most_ns : ns < -most_ns ? -most_ns : ns) * FS_PER_NS;
}

/*
 * The interval at `tick` by one bracket: the reference was read after `before`, and before the read of `after` ended.
 */
static COLD struct hpt_interval of_one(const struct hpt_bracket *b, uint64_t tick, int64_t ref_ns,
				       struct hpt_scale slope, uint32_t error_ppb, struct hpt_granularity granularity)
{
	int64_t since_after = ticks_fs(tick - b->after - granularity.ticks, slope);
	int64_t since_before = ticks_fs(tick - b->before, slope);
	int64_t away_fs = since_before > -since_after ? since_before : -since_after;
	int64_t slack_fs = limited_fs((int64_t)((double)away_fs * error_ppb / 1e9)) + 1;
	int64_t ref_fs = ns_fs(b->ref_ns - ref_ns);

	if (away_fs == APART_MAX_FS)
		slack_fs = SAYS_NOTHING_FS;
	return (struct hpt_interval){
		.tick = tick, .ref_ns = ref_ns, .lo_fs = ref_fs + since_after - slack_fs,
		.hi_fs = ref_fs + ns_fs((int64_t)granularity.ref_ns) + since_before + slack_fs,
	};
}

COLD struct hpt_interval hpt_interval_of(const struct hpt_bracket *b, uint32_t n, struct hpt_scale slope,
					 uint32_t error_ppb, struct hpt_granularity granularity)
{
	const struct hpt_bracket *best = hpt_brackets_narrowest(b, n);
	uint64_t tick = hpt_bracket_tick(best);
	struct hpt_interval best_one = of_one(best, tick, best->ref_ns, slope, error_ppb, granularity);
	struct hpt_interval interval = best_one;

	for (uint32_t i = 0; i < n; i++) {
		struct hpt_interval one = of_one(&b[i], tick, best->ref_ns, slope, error_ppb, granularity);

		if (one.lo_fs > interval.lo_fs)
			interval.lo_fs = one.lo_fs;
		if (one.hi_fs < interval.hi_fs)
			interval.hi_fs = one.hi_fs;
	}
	return interval.lo_fs <= interval.hi_fs ? interval : best_one;
}

COLD struct hpt_fixed hpt_interval_middle(const struct hpt_interval *interval)
{
	struct hpt_fixed ref = { .ns = (uint64_t)interval->ref_ns };

	return hpt_fixed_add(ref, hpt_fixed_of_fs(interval->lo_fs + (interval->hi_fs - interval->lo_fs) / 2));
}

static double span_ns(const struct hpt_interval *a, const struct hpt_interval *b)
{
	return (double)(b->ref_ns - a->ref_ns);
}

static double span_ticks(const struct hpt_interval *a, const struct hpt_interval *b)
{
	return (double)(int64_t)(b->tick - a->tick);
}

static uint64_t to_uhz(double ticks, double ns)
{
	double uhz = ns > 0 && ticks > 0 ? ticks / ns * (double)HPT_UHZ_PER_GHZ : 0;

	return uhz < 9e18 ? (uint64_t)(int64_t)uhz : UINT64_MAX;
}

COLD struct hpt_rates hpt_interval_rates(const struct hpt_interval *a, const struct hpt_interval *b)
{
	double ns = span_ns(a, b), ticks = span_ticks(a, b);
	double least_ns = ns + (double)(b->lo_fs - a->hi_fs) / FS_PER_NS;
	double most_ns = ns + (double)(b->hi_fs - a->lo_fs) / FS_PER_NS;
	struct hpt_rates rates = { .lo_uhz = to_uhz(ticks * (1 - INTERVAL_ROUNDING), most_ns), .hi_uhz = UINT64_MAX };

	if (least_ns > 0)
		rates.hi_uhz = to_uhz(ticks * (1 + INTERVAL_ROUNDING), least_ns);
	rates.hi_uhz += rates.hi_uhz < UINT64_MAX; /* rounded up */
	return rates;
}

COLD uint64_t hpt_interval_rate_uhz(const struct hpt_interval *a, const struct hpt_interval *b)
{
	double ns = span_ns(a, b) +
		    ((double)b->lo_fs + (double)b->hi_fs - (double)a->lo_fs - (double)a->hi_fs) / 2 / FS_PER_NS;
	uint64_t uhz = to_uhz(span_ticks(a, b), ns);

	return uhz < UINT64_MAX ? uhz : 0;
}

/* The reference clock that a predicts for b's tick, less b's ref_ns. */
static struct hpt_fixed carried(const struct hpt_interval *a, const struct hpt_interval *b, struct hpt_scale slope)
{
	struct hpt_fixed there = hpt_slope_times(b->tick - a->tick, slope);

	there.ns += (uint64_t)a->ref_ns - (uint64_t)b->ref_ns;
	return there;
}

/* A double, because an int64 of femtoseconds ends at 2.6 hours. */
static double to_fs(struct hpt_fixed f)
{
	return ((double)(int64_t)f.ns + (double)f.frac / 18446744073709551616.0) * FS_PER_NS;
}

COLD int64_t hpt_interval_gap_fs(const struct hpt_interval *a, const struct hpt_interval *b, struct hpt_scale slope,
				 uint32_t error_ppb)
{
	double there = to_fs(carried(a, b, slope));
	double slack = to_fs(hpt_slope_times(b->tick - a->tick, slope)) * error_ppb / 1e9;
	double above, below;

	slack = slack < 0 ? -slack : slack;
	above = (double)b->lo_fs - (there + (double)a->hi_fs + slack);
	below = there + (double)a->lo_fs - slack - (double)b->hi_fs;
	if (above > 0)
		return above < 9e18 ? (int64_t)above : INT64_MAX;
	return below <= 0 ? 0 : below < 9e18 ? (int64_t)below : INT64_MAX;
}

COLD uint32_t hpt_interval_error_ns(const struct hpt_interval *interval, uint64_t tick, int64_t ns,
				    struct hpt_scale slope, uint64_t error_ppb)
{
	struct hpt_fixed away = hpt_slope_times(tick - interval->tick, slope);
	struct hpt_fixed at = { .ns = (uint64_t)ns - (uint64_t)interval->ref_ns };
	double off = to_fs(hpt_fixed_sub(at, away)), slack = to_fs(away) * (double)error_ppb / 1e9, error;

	slack = slack < 0 ? -slack : slack;
	error = off - (double)interval->lo_fs;
	error = error > (double)interval->hi_fs - off ? error : (double)interval->hi_fs - off;
	error = (error + slack) / FS_PER_NS + 1;
	return error < (double)UINT32_MAX - 1 && error_ppb < UINT32_MAX ? (uint32_t)error + 1 : UINT32_MAX;
}

COLD bool hpt_interval_narrow(const struct hpt_interval *a, const struct hpt_interval *b, struct hpt_scale slope,
			      uint32_t error_ppb, struct hpt_interval *ret)
{
	int64_t there = limited_fs(hpt_fixed_fs(carried(a, b, slope))); /* rounded down */
	double slack = to_fs(hpt_slope_times(b->tick - a->tick, slope)) * error_ppb / 1e9;
	int64_t slack_fs = (slack < 0 ? -slack : slack) < SAYS_NOTHING_FS ? llabs((int64_t)slack) : SAYS_NOTHING_FS;
	int64_t lo = there + a->lo_fs - slack_fs, hi = there + a->hi_fs + slack_fs + 1;

	lo = lo > b->lo_fs ? lo : b->lo_fs;
	hi = hi < b->hi_fs ? hi : b->hi_fs;
	*ret = *b; /* not earlier: ret may be a */
	if (lo > hi)
		return false;
	ret->lo_fs = lo;
	ret->hi_fs = hi;
	return true;
}

COLD struct hpt_rates hpt_rates_around(uint64_t uhz, uint64_t ppb)
{
	double part = (double)uhz / 1e9 * (double)ppb + 1;
	double lo = (double)uhz - part;

	return (struct hpt_rates){ .lo_uhz = lo > 0 ? (uint64_t)lo : 0, .hi_uhz = uhz + (uint64_t)part + 1 };
}

COLD uint32_t hpt_rates_error_ppb(struct hpt_rates rates, uint64_t uhz)
{
	double below, above, error;

	if (rates.hi_uhz == UINT64_MAX || !uhz)
		return UINT32_MAX;
	below = (double)(int64_t)(uhz - rates.lo_uhz);
	above = (double)(int64_t)(rates.hi_uhz - uhz);
	error = (above > below ? above : below) / (double)uhz * 1e9 + 1;
	return error < (double)UINT32_MAX ? (uint32_t)error : UINT32_MAX;
}
