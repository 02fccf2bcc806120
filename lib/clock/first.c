// SPDX-License-Identifier: MIT
/* A clock's first record. Measures the rate from the anchor to now; waits until the anchor is at least 1 ms old. */
#include "clock/first.h"

#include <string.h>

#include "clock/anchor.h"
#include "rate/calibrate.h"
#include "rate/next_record.h"

/* Brackets after which the wait ends even if the reference clock stands still: at 38 ns each, 40 ms. */
#define WAIT_BRACKETS_MAX (1 << 20)

/* Measurements in all: a clock or counter that jumps during one gets a fresh anchor for the next. */
#define CALIBRATE_TRIES 3

/*
 * Takes brackets until the baseline from `from_ns` is long enough and the steps of the counter and the reference clock
 * are known (for a coarse one that takes a few of its steps). ret holds the latest HPT_RECENT_BRACKETS; returns how many.
 */
static uint32_t wait_sampling(struct hpt_clock *clk, int64_t from_ns, struct hpt_fit *fit, struct hpt_bracket *ret)
{
	uint32_t n = hpt_brackets_take(&clk->src, CLOCK_MONOTONIC_RAW, ret, HPT_RECENT_BRACKETS);

	hpt_fit_add(fit, ret, n);
	for (uint32_t taken = n; taken < WAIT_BRACKETS_MAX; taken += n) {
		if (ret[n - 1].ref_ns - from_ns >= HPT_BASELINE_NS && hpt_fit_knows_steps(fit))
			break;
		n = hpt_brackets_take(&clk->src, CLOCK_MONOTONIC_RAW, ret, HPT_RECENT_BRACKETS);
		hpt_fit_add(fit, ret, n);
	}
	return n;
}

/* Measures the rate from a group of older brackets to now. *ret_base is the interval that the older ones prove. */
static bool measure_from(struct hpt_clock *clk, const struct hpt_bracket *old, uint32_t n_old, struct hpt_rate *ret,
			 struct hpt_granularity *ret_granularity, struct hpt_interval *ret_base)
{
	struct hpt_bracket recent[HPT_RECENT_BRACKETS];
	struct hpt_fit fit;
	uint32_t n;

	hpt_fit_start(&fit, old, n_old);
	n = wait_sampling(clk, old->ref_ns, &fit, recent);
	if (!hpt_calibrate_rate(old, n_old, recent, n, &fit, ret, ret_granularity))
		return false;
	*ret_base = hpt_interval_of(old, n_old, hpt_scale_of(ret->num, ret->den), ret->error_ppb, *ret_granularity);
	return true;
}

static bool measure_rate(struct hpt_clock *clk, struct hpt_rate *ret, struct hpt_granularity *ret_granularity,
			 struct hpt_interval *ret_base)
{
	struct hpt_bracket fresh[HPT_ANCHOR_BRACKETS];
	uint32_t n;

	if (hpt_anchor_is_valid(clk) && measure_from(clk, clk->anchor, clk->n_anchor, ret, ret_granularity, ret_base))
		return true;
	for (int tries = 1; tries < CALIBRATE_TRIES; tries++) {
		n = hpt_brackets_take(&clk->src, CLOCK_MONOTONIC_RAW, fresh, HPT_ANCHOR_BRACKETS);
		if (measure_from(clk, fresh, n, ret, ret_granularity, ret_base))
			return true;
	}
	return false;
}

/*
 * For clocks that contradicted each other in each measurement: the rate that the hardware states, with its error bound;
 * or, where it states none, 1 ns a tick with the largest error bound.
 */
static void guess_rate(struct hpt_clock *clk, struct hpt_rate *ret, struct hpt_interval *ret_base)
{
	struct hpt_bracket p;

	*ret = clk->src.rate;
	if (ret->origin == HPT_ORIGIN_NONE)
		*ret = (struct hpt_rate){
			.num = 1, .den = 1, .frequency_uhz = HPT_UHZ_PER_GHZ, .error_ppb = UINT32_MAX,
		};
	hpt_brackets_take(&clk->src, CLOCK_MONOTONIC_RAW, &p, 1);
	*ret_base = hpt_interval_of(&p, 1, hpt_scale_of(ret->num, ret->den), ret->error_ppb,
				    (struct hpt_granularity){ 1, 1 });
}

/* The rate by definition; or the measured one, which replaces or confirms the one that the hardware states. */
static void find_rate(struct hpt_clock *clk, struct hpt_record *rec, struct hpt_rate *ret,
		      struct hpt_interval *ret_base)
{
	const struct hpt_rate *stated = &clk->src.rate;

	rec->granularity = (struct hpt_granularity){ 1, 1 };
	if (stated->origin == HPT_ORIGIN_EXACT) {
		*ret = *stated;
		*ret_base = (struct hpt_interval){ 0 };
	} else if (!measure_rate(clk, ret, &rec->granularity, ret_base)) {
		guess_rate(clk, ret, ret_base);
	} else if (stated->origin == HPT_ORIGIN_REGISTER && !hpt_calibrate_stated(stated, ret)) {
		rec->flags |= HPT_CLOCK_RATE_CONTRADICTED;
	}
}

void hpt_first_record(struct hpt_clock *clk, struct hpt_record *ret)
{
	struct hpt_rate rate;
	struct hpt_interval base;
	struct hpt_samples samples;

	memset(ret, 0, sizeof(*ret));
	find_rate(clk, ret, &rate, &base);
	if (!clk->kernel_is_tsc && rate.origin != HPT_ORIGIN_EXACT)
		ret->wander_ppb = HPT_RECORD_WANDER_PPB;
	hpt_samples_take(&clk->src, &samples);
	hpt_record_first(ret, &rate, &base, &samples);
}
