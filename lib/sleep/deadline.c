// SPDX-License-Identifier: MIT
/* A sleep's deadline in ticks, and the comparison of counter and clock: lib/sleep/deadline.h. */
#include "sleep/deadline.h"

#include <errno.h>

#include "clock/timekeeper.h"
#include "sleep/relax.h"

/* ---- The deadline in ticks ---------------------------------------------------------------------------- */

/* Saturates. */
static uint64_t later(uint64_t tick, struct hpt_wide ticks)
{
	struct hpt_wide sum = hpt_wide_add(hpt_wide_of((int64_t)tick), ticks);
	int64_t ret = hpt_wide_is_negative(sum) ? INT64_MIN : INT64_MAX;

	hpt_wide_narrow(sum, &ret);
	return (uint64_t)ret;
}

/* Sets the deadline to the tick at which the timeline reaches `at`: never early, so possibly one tick late. */
static void set_deadline(struct hpt_sleep *sl, const struct hpt_instant *view)
{
	struct hpt_wide ns = hpt_wide_subtract(hpt_wide_of(sl->at), hpt_wide_of(view->ns));

	sl->spin.now = view->tick;
	sl->spin.deadline = later(view->tick, hpt_scale_divide(ns, view->slope));
	if (!hpt_wide_is_negative(ns) && (ns.hi | ns.lo))
		sl->spin.deadline = later(sl->spin.deadline, hpt_wide_of(1));
}

/*
 * The published line does not know of a step of the wall clock. If the line and the wall clock differ by more than a
 * preemption can explain, samples the clocks for a fresh line.
 */
static void view_unix(struct hpt_sleep *sl, struct hpt_instant *ret)
{
	int64_t off_ns;
	int saved = errno;

	/* In this order a preemption between the two reads makes the wait too short, never too long. */
	off_ns = sl->s->clk->src.clock_ns(CLOCK_REALTIME);
	hpt_timekeeper_instant(sl->s->clk, CLOCK_REALTIME, ret);
	off_ns -= ret->ns;
	errno = saved;
	if (off_ns < -HPT_DIVERGED_NS || off_ns > HPT_DIVERGED_NS) {
		hpt_timekeeper_resample(sl->s->clk);
		hpt_timekeeper_instant(sl->s->clk, CLOCK_REALTIME, ret);
		off_ns = 0;
	}
	sl->wall_ahead_ns = off_ns;
}

void hpt_deadline_recompute(struct hpt_sleep *sl)
{
	struct hpt_instant view;

	if (sl->kind == HPT_DEADLINE_TICK)
		return;
	if (sl->kind == HPT_DEADLINE_UNIX_NS)
		view_unix(sl, &view);
	else
		hpt_timekeeper_instant(sl->s->clk, CLOCK_MONOTONIC_RAW, &view);
	/* AFTER_NS becomes NS: the end is the start on the timeline plus the duration, plus 1 for rounding. */
	if (sl->kind == HPT_DEADLINE_AFTER_NS) {
		int64_t since_ns = hpt_scale_round((int64_t)(view.tick - sl->spin.now), view.slope);

		sl->at = hpt_sum(sl->at, view.ns - since_ns + 1);
		sl->kind = HPT_DEADLINE_NS;
	}
	if (view.generation != sl->generation && view.state == HPT_STATE_DISRUPTED)
		sl->state = HPT_STATE_DISRUPTED;
	sl->generation = view.generation;
	sl->mono_per_tick = view.mono_per_tick;
	set_deadline(sl, &view);
}

void hpt_deadline_start(struct hpt_sleep *sl, int64_t at, uint64_t unit_ns)
{
	sl->at = at;
	switch (sl->kind) {
	case HPT_DEADLINE_AFTER_TICKS:
		sl->kind = HPT_DEADLINE_TICK;
		sl->spin.deadline = later(sl->spin.now, hpt_wide_of(at > 0 ? at : 0));
		break;
	case HPT_DEADLINE_TICK:
		sl->spin.deadline = (uint64_t)at;
		break;
	case HPT_DEADLINE_AFTER_NS:
		sl->spin.deadline = sl->spin.now;
		if (at <= 0)
			break;
		sl->at = INT64_MAX;
		hpt_wide_narrow(hpt_wide_product(at, unit_ns), &sl->at);
		/* hpt_ns_to_ticks() rounds to nearest: one tick more is never early. */
		sl->spin.deadline = later(sl->spin.now,
			hpt_wide_add(hpt_wide_of(hpt_ns_to_ticks(sl->s->clk, sl->at)), hpt_wide_of(1)));
		break;
	default:
		hpt_deadline_recompute(sl);
		sl->state = HPT_STATE_OK; /* events before the sleep do not count */
	}
}

/* ---- Counter and clock ---------------------------------------------------------------------------------- */

static struct hpt_bracket take_bracket(struct hpt_sleep *sl)
{
	struct hpt_clock *clk = sl->s->clk;
	struct hpt_bracket b = { .before = clk->src.read(&clk->src) };

	b.ref_ns = hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC);
	b.after = sl->spin.now = clk->src.read(&clk->src);
	return b;
}

void hpt_deadline_note_diverged(struct hpt_sleep *sl)
{
	struct hpt_instant view;
	bool is_anchor;

	if (!sl->generation) { /* the sleep is all spin: hpt_deadline_begin() was not called */
		hpt_timekeeper_instant(sl->s->clk, CLOCK_MONOTONIC_RAW, &view);
		sl->generation = view.generation;
	}
	hpt_timekeeper_resample(sl->s->clk);
	hpt_timekeeper_instant(sl->s->clk, CLOCK_MONOTONIC_RAW, &view);
	is_anchor = view.generation != sl->generation && view.state == HPT_STATE_REANCHORED;
	sl->state = is_anchor ? HPT_STATE_REANCHORED : HPT_STATE_DISRUPTED;
}

/* Returns by how many ns the counter gained on CLOCK_MONOTONIC from a to b (negative: lost); 0 within tolerance. */
static int64_t gained_ns(const struct hpt_sleep *sl, const struct hpt_bracket *a, const struct hpt_bracket *b)
{
	int64_t least = hpt_scale_round((int64_t)(b->before - a->after), sl->mono_per_tick);
	int64_t most = hpt_scale_round((int64_t)(b->after - a->before), sl->mono_per_tick);
	int64_t passed = b->ref_ns - a->ref_ns, allowed = HPT_DIVERGED_NS + passed / HPT_DIVERGED_SHARE;

	if (most < passed - allowed)
		return most - passed;
	return least > passed + allowed ? least - passed : 0;
}

void hpt_deadline_set_end(struct hpt_sleep *sl)
{
	int64_t left_ns = hpt_scale_round((int64_t)(sl->spin.deadline - sl->latest.after), sl->mono_per_tick);

	sl->spin.end_ns = hpt_sum(sl->latest.ref_ns, left_ns);
}

int64_t hpt_deadline_diverged_ns(struct hpt_sleep *sl)
{
	struct hpt_bracket b = take_bracket(sl);
	int64_t gained = gained_ns(sl, &sl->latest, &b);

	/* A counter that stands still may lose less than the tolerance in each of many short waits. */
	if (!gained)
		gained = gained_ns(sl, &sl->first, &b);
	sl->latest = b;
	if (gained) {
		sl->first = b;
		hpt_deadline_note_diverged(sl);
	}
	return gained;
}

void hpt_deadline_begin(struct hpt_sleep *sl)
{
	struct hpt_instant view;

	hpt_timekeeper_instant(sl->s->clk, CLOCK_MONOTONIC_RAW, &view);
	sl->generation = view.generation;
	sl->mono_per_tick = view.mono_per_tick;
	hpt_deadline_recompute(sl);
	hpt_relax_ask();
	sl->first = sl->latest = take_bracket(sl);
	hpt_deadline_set_end(sl);
}
