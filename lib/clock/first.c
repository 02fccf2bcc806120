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
 * True if the baseline is long enough and the steps of counter and reference are known (for a coarse one that takes a
 * few of its steps). A counter that has not moved by then stands still.
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
	bool is_short;                       /* it is younger than HPT_BASELINE_NS: the rate is provisional */
};

static COLD void set_base(struct first_rate *found, struct hpt_group g)
{
	found->base = hpt_interval_of(g.b, g.n, hpt_scale_of(found->rate.num, found->rate.den), found->rate.error_ppb,
				      found->granularity);
}

/* The baseline of a rate that was not measured starts now. */
static COLD void start_base(const struct hpt_clock *clk, struct first_rate *found)
{
	struct hpt_bracket now;
	uint32_t n = hpt_brackets_take(&clk->src, CLOCK_MONOTONIC_RAW, &now, 1);

	set_base(found, hpt_group_of(&now, n));
}

/* Where the rate is known less well, or the counter moves by longer steps, a clock has no provisional rate. */
#define PROVISIONAL_MOST_PPB     2000000
#define PROVISIONAL_MOST_STEP_NS 100

static bool is_good(const struct first_rate *found)
{
	return found->rate.error_ppb <= PROVISIONAL_MOST_PPB &&
	       found->granularity.ticks <= found->rate.frequency_uhz / (HPT_UHZ_PER_GHZ / PROVISIONAL_MOST_STEP_NS);
}

/* Brackets that are measured from, and those since. */
struct measuring {
	struct hpt_group old, recent;
	struct hpt_fit fit;
	struct hpt_bracket brackets[HPT_RECENT_BRACKETS];
};

/* Samples on until the baseline is that long, and computes the rate. False: a longer baseline is needed for one. */
static COLD bool measure_until(struct hpt_clock *clk, struct measuring *m, int64_t least_ns, struct first_rate *ret)
{
	m->recent.n = wait_sampling(clk, m->old.b->ref_ns, least_ns, &m->fit, m->brackets);
	ret->is_short = m->brackets[m->recent.n - 1].ref_ns - m->old.b->ref_ns < HPT_BASELINE_NS;
	if (!hpt_calibrate_rate(m->old, m->recent, &m->fit, &ret->rate, &ret->granularity) ||
	    (ret->is_short && !is_good(ret)))
		return false;
	hpt_calibrate_again(&clk->src, m->old, m->recent, &m->fit, ret->granularity, &ret->rate);
	set_base(ret, m->old);
	return true;
}

/*
 * Measures the rate from a group of older brackets to now. If that fails the rate is a guess, and its baseline starts
 * now. Only what the kernel keeps time with is measured briefly: another oscillator's rate is known to no better than
 * it may drift.
 */
static COLD void measure_from(struct hpt_clock *clk, struct hpt_group old, int64_t least_ns, struct first_rate *ret)
{
	struct measuring m = { .old = old, .recent.b = m.brackets };

	hpt_fit_start(&m.fit, old.b, old.n);
	m.fit.kernel_unit_hz = clk->is_clocksource ? clk->src.ops->kernel_unit_hz : 0;
	if ((least_ns < HPT_BASELINE_NS && clk->is_clocksource && measure_until(clk, &m, least_ns, ret)) ||
	    measure_until(clk, &m, HPT_BASELINE_NS, ret))
		return;
	ret->is_short = false;
	hpt_calibrate_guess(&m.fit, &m.brackets[m.recent.n - 1], &ret->rate, &ret->granularity);
	set_base(ret, m.recent);
}

static COLD void measure_rate(struct hpt_clock *clk, int64_t least_ns, struct first_rate *ret)
{
	struct hpt_bracket fresh[HPT_ANCHOR_BRACKETS];
	struct hpt_group old = { .b = fresh };

	ret->rate.origin = HPT_ORIGIN_NONE;
	/* Replaced clocks may jump together: libfaketime starts them again after load, 30 us ahead. */
	if (!hpt_clock_is_interposed(clk) && hpt_anchor_is_valid(&clk->anchor, &clk->src, clk->is_clocksource))
		measure_from(clk, hpt_group_of(clk->anchor.brackets, clk->anchor.n), least_ns, ret);
	for (int tries = 1; tries < CALIBRATE_TRIES && ret->rate.origin == HPT_ORIGIN_NONE; tries++) {
		old.n = hpt_brackets_take(&clk->src, CLOCK_MONOTONIC_RAW, fresh, HPT_ANCHOR_BRACKETS);
		measure_from(clk, old, least_ns, ret);
	}
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

	*ret = (struct first_rate){ .rate = stated, .granularity = { 1, 1 } };
	if (stated.origin == HPT_ORIGIN_EXACT) {
		ret->granularity.ref_ns = ret->granularity.ticks = hpt_os_step_ns(&clk->src);
		return;
	}
	if (hpt_sample_is_blind(&clk->src)) {
		ret->rate = unmeasured_rate(clk);
		start_base(clk, ret);
		return;
	}
	measure_rate(clk, least_ns, ret);
	if (stated.origin != HPT_ORIGIN_REGISTER)
		return;
	if (ret->rate.origin == HPT_ORIGIN_NONE) {
		ret->rate = stated;
		start_base(clk, ret);
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
	if (found.is_short)
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
