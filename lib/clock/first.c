// SPDX-License-Identifier: MIT
/* A clock's first record, by the rate from the anchor to now: lib/clock/first.h. */
#include "clock/first.h"

#include <string.h>

#include "arch/arch.h"
#include "math/units.h"
#include "clock/anchor.h"
#include "rate/calibrate.h"
#include "rate/kernel_rate.h"
#include "rate/next_record.h"
#include "rate/os_step.h"

/* Brackets after which the wait ends even if the reference clock stands still: at 38 ns each, 40 ms. */
#define WAIT_BRACKETS_MAX (1 << 20)

/*
 * A group that a preemption cut short is followed by another, up to this many times: few widths show a fine counter's
 * step too large (35 ticks in 2 of 60 scripted processes).
 */
#define CUT_SHORT_MAX 4

/* Measurements in all: a clock or counter that jumps during one gets a fresh anchor for the next. */
#define CALIBRATE_TRIES 3

/*
 * True if the baseline is long enough and the steps of counter and reference are known (for a coarse one
 * that takes a few of its steps). A counter that has not moved by then stands still.
 */
static bool is_enough(const struct hpt_fit *fit, int64_t age_ns, int64_t least_ns)
{
	return age_ns >= least_ns && (hpt_fit_knows_steps(fit) || !fit->ticks.least);
}

/* Takes brackets until there are enough. ret holds the latest HPT_RECENT_BRACKETS; returns how many. */
static uint32_t wait_sampling(struct hpt_clock *clk, int64_t from_ns, int64_t least_ns, struct hpt_fit *fit,
			      struct hpt_bracket *ret)
{
	uint32_t n = hpt_brackets_take(&clk->src, CLOCK_MONOTONIC_RAW, ret, HPT_RECENT_BRACKETS), cut_short = 0;

	hpt_fit_add(fit, ret, n);
	for (uint32_t taken = n; taken < WAIT_BRACKETS_MAX; taken += n) {
		if (is_enough(fit, ret[n - 1].ref_ns - from_ns, least_ns) &&
		    (n >= HPT_FIT_BRACKETS_MIN || cut_short++ == CUT_SHORT_MAX))
			break;
		n = hpt_brackets_take(&clk->src, CLOCK_MONOTONIC_RAW, ret, HPT_RECENT_BRACKETS);
		hpt_fit_add(fit, ret, n);
	}
	return n;
}

/* What a measurement finds. */
struct first_rate {
	struct hpt_rate rate;                /* origin NONE: it failed, and the rate is a guess at best */
	struct hpt_granularity granularity;
	struct hpt_interval base;            /* where the baseline of the rate starts */
	int64_t age_ns;                      /* and its length */
	int64_t least_ns;                    /* asked for: the length that is waited for */
};

static COLD void set_base(struct first_rate *found, struct hpt_group g)
{
	found->base = hpt_interval_of(g.b, g.n, hpt_scale_of(found->rate.num, found->rate.den), found->rate.error_ppb,
				      found->granularity);
}

/*
 * Measures the rate from a group of older brackets to now. If that fails the rate is a guess, and its baseline starts
 * now.
 */
static COLD void measure_from(struct hpt_clock *clk, struct hpt_group old, struct first_rate *ret)
{
	struct hpt_bracket brackets[HPT_RECENT_BRACKETS];
	struct hpt_group recent = { .b = brackets };
	struct hpt_fit fit;

	hpt_fit_start(&fit, old.b, old.n);
	fit.kernel_unit_hz = clk->is_clocksource ? clk->src.ops->kernel_unit_hz : 0;
	recent.n = wait_sampling(clk, old.b->ref_ns, ret->least_ns, &fit, brackets);
	ret->age_ns = brackets[recent.n - 1].ref_ns - old.b->ref_ns;
	if (hpt_calibrate_rate(old, recent, &fit, &ret->rate, &ret->granularity)) {
		hpt_calibrate_again(&clk->src, old, recent, &fit, ret->granularity, &ret->rate);
		set_base(ret, old);
		return;
	}
	hpt_calibrate_guess(&fit, &brackets[recent.n - 1], &ret->rate, &ret->granularity);
	set_base(ret, recent);
}

static void measure_once(struct hpt_clock *clk, struct first_rate *ret)
{
	struct hpt_bracket fresh[HPT_ANCHOR_BRACKETS];
	struct hpt_group old = { .b = fresh };

	ret->rate.origin = HPT_ORIGIN_NONE;
	/* Replaced clocks may jump together: libfaketime starts them again after load, 30 us ahead. */
	if (!hpt_clock_is_interposed(clk) && hpt_anchor_is_valid(&clk->anchor, &clk->src, clk->is_clocksource))
		measure_from(clk, hpt_group_of(clk->anchor.brackets, clk->anchor.n), ret);
	for (int tries = 1; tries < CALIBRATE_TRIES && ret->rate.origin == HPT_ORIGIN_NONE; tries++) {
		old.n = hpt_brackets_take(&clk->src, CLOCK_MONOTONIC_RAW, fresh, HPT_ANCHOR_BRACKETS);
		measure_from(clk, old, ret);
	}
}

/* A provisional rate that is known less well, or is that of a counter with longer steps, is none. */
#define PROVISIONAL_MOST_PPB     2000000
#define PROVISIONAL_MOST_STEP_NS 100

static bool is_good(const struct first_rate *found)
{
	return found->rate.origin != HPT_ORIGIN_NONE && found->rate.error_ppb <= PROVISIONAL_MOST_PPB &&
	       found->granularity.ticks <= found->rate.frequency_uhz / (HPT_UHZ_PER_GHZ / PROVISIONAL_MOST_STEP_NS);
}

/* Only what the kernel keeps time with: another oscillator's rate is known to no better than it may drift. */
static COLD void measure_rate(struct hpt_clock *clk, struct first_rate *ret)
{
	if (!clk->is_clocksource)
		ret->least_ns = HPT_BASELINE_NS;
	measure_once(clk, ret);
	if (ret->least_ns == HPT_BASELINE_NS || is_good(ret))
		return;
	ret->least_ns = HPT_BASELINE_NS;
	measure_once(clk, ret);
}

/* The rate that the hardware states; where the kernel keeps time with it, as the kernel's arithmetic rounds it. */
static COLD struct hpt_rate stated_rate(const struct hpt_clock *clk)
{
	struct hpt_rate stated = clk->src.rate;
	struct hpt_kernel_rate kernel;

	if (!clk->is_clocksource || clk->src.ops->kernel_unit_hz != HPT_KERNEL_HZ ||
	    stated.origin != HPT_ORIGIN_REGISTER || stated.den > UINT32_MAX)
		return stated;
	kernel = hpt_kernel_rate_of((uint32_t)stated.den, HPT_KERNEL_HZ); /* den: ticks in a second */
	stated.num = kernel.mult;
	stated.den = UINT64_C(1) << kernel.shift;
	stated.frequency_uhz = hpt_kernel_rate_uhz(kernel);
	return stated;
}

/*
 * Where no clock can be read the rate is the one that the hardware states, else a guess that no counter exceeds: by it
 * sleeps are late rather than early.
 */
#define GUESS_HZ UINT64_C(8000000000)

static COLD struct hpt_rate unmeasured_rate(const struct hpt_clock *clk)
{
	const struct hpt_env *env = clk->src.env;
	uint64_t hz = clk->src.ops->id == HPT_SOURCE_TSC ? hpt_cpu_stated_hz(env->cpuid, env->cpuid_ctx) : 0;
	struct hpt_rate rate = stated_rate(clk);

	if (rate.origin == HPT_ORIGIN_REGISTER)
		return rate;
	rate = (struct hpt_rate){ .num = NS_PER_S, .den = GUESS_HZ, .error_ppb = UINT32_MAX };
	if (hz) {
		rate.den = hz;
		rate.error_ppb = HPT_STATED_PPB;
		rate.origin = HPT_ORIGIN_REGISTER;
	}
	rate.frequency_uhz = rate.den * 1000000;
	return rate;
}

/*
 * The rate by definition; or the measured one, which replaces or confirms the one that the hardware states. Where
 * clocks contradicted each other in each measurement the stated rate stands, with its error.
 */
static void find_first_rate(struct hpt_clock *clk, int64_t least_ns, struct hpt_record *rec, struct first_rate *ret)
{
	struct hpt_rate stated = stated_rate(clk);
	struct hpt_bracket now;

	*ret = (struct first_rate){ .rate = stated, .granularity = { 1, 1 }, .age_ns = HPT_BASELINE_NS,
				    .least_ns = least_ns };
	if (stated.origin == HPT_ORIGIN_EXACT) {
		ret->granularity.ref_ns = ret->granularity.ticks = hpt_os_step_ns(&clk->src);
		return;
	}
	if (hpt_sample_is_blind(&clk->src)) {
		ret->rate = unmeasured_rate(clk);
		set_base(ret, hpt_group_of(&now, hpt_brackets_take(&clk->src, CLOCK_MONOTONIC_RAW, &now, 1)));
		return;
	}
	measure_rate(clk, ret);
	if (stated.origin != HPT_ORIGIN_REGISTER)
		return;
	if (ret->rate.origin == HPT_ORIGIN_NONE) {
		ret->rate = stated;
		set_base(ret, hpt_group_of(&now, hpt_brackets_take(&clk->src, CLOCK_MONOTONIC_RAW, &now, 1)));
	} else if (!hpt_calibrate_stated(&stated, &ret->rate)) {
		rec->flags |= HPT_CLOCK_RATE_CONTRADICTED;
	}
}

COLD void hpt_first_record(struct hpt_clock *clk, struct hpt_record *ret)
{
	struct first_rate found;
	struct hpt_samples samples;

	memset(ret, 0, sizeof(*ret));
	if (clk->src.ops->kernel_unit_hz == HPT_KERNEL_HZ) {
		ret->rate.flags = HPT_ESTIMATE_KERNEL_HZ | HPT_ESTIMATE_STATED;
		ret->rate.stated_hz = clk->src.rate.frequency_uhz / 1000000;
	}
	find_first_rate(clk, HPT_BASELINE_PROVISIONAL_NS, ret, &found);
	if (found.least_ns < HPT_BASELINE_NS && found.age_ns < HPT_BASELINE_NS)
		ret->flags |= HPT_RECORD_PROVISIONAL;
	ret->granularity = found.granularity;
	if (!clk->is_clocksource && found.rate.origin != HPT_ORIGIN_EXACT)
		ret->rate.wander_ppb = HPT_ESTIMATE_WANDER_PPB;
	hpt_samples_take(&clk->src, &samples);
	hpt_record_first(ret, &found.rate, &found.base, &samples);
}

/* Where it measures nothing the counter or a clock has jumped meanwhile, which the next record sees. */
COLD void hpt_first_settle(struct hpt_clock *clk, struct hpt_record *rec)
{
	struct first_rate found;

	if (!hpt_record_is_provisional(rec))
		return;
	find_first_rate(clk, HPT_BASELINE_NS, rec, &found);
	if (found.rate.origin == HPT_ORIGIN_NONE) {
		rec->flags &= ~HPT_RECORD_PROVISIONAL;
		return;
	}
	rec->granularity = found.granularity;
	hpt_record_settle(rec, &found.rate, &found.base);
}
