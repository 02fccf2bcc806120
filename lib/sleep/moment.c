// SPDX-License-Identifier: MIT
/* Moments on a clock's timelines: lib/sleep/moment.h. */
#include "sleep/moment.h"

#include "arch/arch.h"
#include "sleep/sleeper.h"

/* Beyond half of what is a divergence the two clocks were not read at one moment, and are read again. */
#define TORN_NS    (HPT_DIVERGED_NS / 2)
#define TORN_TRIES 4

void hpt_moment_take(struct hpt_clock *clk, struct hpt_moment *ret)
{
	int64_t took_ns = 0;
	int tries = 0;

	ret->is_os = clk->src.ops->id == HPT_SOURCE_OS && clk->src.rate.origin == HPT_ORIGIN_EXACT;
	do {
		hpt_timekeeper_instant(clk, CLOCK_MONOTONIC_RAW, &ret->at);
		/* Nothing diverges from a time of its own. */
		ret->mono_ns = unlikely(clk->src.own_time) ? ret->at.ns : hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC);
		if (ret->is_os)
			took_ns = (int64_t)(clk->src.read(&clk->src) - ret->at.tick);
	} while (unlikely(took_ns > TORN_NS) && ++tries < TORN_TRIES);
	ret->is_torn = took_ns > TORN_NS;
}

static int64_t saturated_moment(struct hpt_wide x)
{
	int64_t ret = hpt_wide_is_negative(x) ? INT64_MIN : INT64_MAX;

	hpt_wide_narrow(x, &ret);
	return ret;
}

static int64_t difference(int64_t a, int64_t b)
{
	return saturated_moment(hpt_wide_subtract(hpt_wide_of(a), hpt_wide_of(b)));
}

bool hpt_moment_has_diverged(const struct hpt_moment *last, const struct hpt_moment *now)
{
	int64_t counted_ns = hpt_scale_round((int64_t)(now->at.tick - last->at.tick), last->at.mono_per_tick);
	int64_t passed_ns = difference(now->mono_ns, last->mono_ns), gained_ns = difference(counted_ns, passed_ns);
	int64_t allowed_ns = HPT_DIVERGED_NS + (passed_ns > 0 ? passed_ns / HPT_DIVERGED_SHARE : 0);

	return gained_ns > allowed_ns || gained_ns < -allowed_ns;
}

/* The kernel's own clock never does. */
static bool is_replaced(const struct hpt_moment *last, const struct hpt_moment *now)
{
	return now->is_os && !last->is_torn && !now->is_torn && hpt_moment_has_diverged(last, now);
}

bool hpt_moment_has_moved(const struct hpt_moment *last, const struct hpt_moment *now)
{
	return now->at.generation != last->at.generation || is_replaced(last, now);
}

void hpt_moment_after(struct hpt_clock *clk, const struct hpt_moment *last, struct hpt_moment *ret)
{
	hpt_moment_take(clk, ret);
	if (unlikely(ret->at.generation == last->at.generation && hpt_moment_has_diverged(last, ret))) {
		hpt_timekeeper_resample(clk);
		hpt_moment_take(clk, ret);
	}
}

/*
 * The ticks from now's to that of the time that was left_ns away at `last`: by the rate, not by the slope of the old
 * line, which may have been making up for an error.
 */
static COLD int64_t ticks_left(const struct hpt_moment *last, const struct hpt_moment *now, int64_t left_ns)
{
	int64_t ticks = hpt_scale_round(left_ns, last->at.tick_per_ns), mono_ns;

	if ((now->at.state == HPT_STATE_REANCHORED || now->is_os) && now->at.tick >= last->at.tick &&
	    !is_replaced(last, now))
		return hpt_sum(ticks, -(int64_t)(now->at.tick - last->at.tick));
	mono_ns = hpt_sum(hpt_scale_round(ticks, last->at.mono_per_tick), difference(last->mono_ns, now->mono_ns));
	return saturated_moment(hpt_scale_divide(hpt_wide_of(mono_ns), now->at.mono_per_tick));
}

COLD int64_t hpt_moment_carried_ns(const struct hpt_moment *last, const struct hpt_moment *now, int64_t ns)
{
	int64_t most_ns = difference(ns, last->at.ns);
	int64_t left_ns = hpt_sum(hpt_scale_round(ticks_left(last, now, most_ns), now->at.slope), HPT_MOMENT_OPEN_NS);

	return hpt_sum(now->at.ns, most_ns > 0 && left_ns > most_ns ? most_ns : left_ns);
}
