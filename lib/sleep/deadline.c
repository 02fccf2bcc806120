// SPDX-License-Identifier: MIT
/* Reckoning of a sleep: lib/sleep/deadline.h. */
#include "sleep/deadline.h"

#include <errno.h>

#include "sleep/relax.h"

/* ---- Reckoning ---------------------------------------------------------------------------------------- */

bool hpt_is_interposed(const struct hpt_clock *clk)
{
	return clk->src.ops->id == HPT_SOURCE_OS || clk->reason == HPT_REASON_INTERPOSED;
}

int64_t hpt_kernel_ns(const struct hpt_clock *clk, clockid_t id)
{
	int saved = errno;
	int64_t ns;

	if (!hpt_is_interposed(clk) || !clk->src.env->kernel_ns(id, &ns))
		ns = clk->src.clock_ns(id);
	errno = saved;
	return ns;
}

static uint64_t later(uint64_t tick, struct hpt_wide ticks)
{
	int64_t sum = INT64_MAX;

	hpt_wide_narrow(hpt_wide_add(hpt_wide_of((int64_t)tick), ticks), &sum);
	return (uint64_t)sum;
}

/* The tick at which a line reaches `at`, or one later: never early. */
static void aim(struct hpt_nap *n, const struct hpt_instant *view)
{
	struct hpt_wide ns = hpt_wide_subtract(hpt_wide_of(n->at), hpt_wide_of(view->ns));

	n->spin.now = n->spin.deadline = view->tick;
	if (!hpt_wide_is_negative(ns) && (ns.hi | ns.lo))
		n->spin.deadline = later(view->tick, hpt_wide_add(hpt_scale_divide(ns, view->slope), hpt_wide_of(1)));
}

/* The wall clock steps without a word to the lines: one that is off by more than a preemption takes is drawn anew. */
static void view_unix(struct hpt_nap *n, struct hpt_instant *ret)
{
	int64_t off_ns;
	int saved = errno;

	/* In this order a preemption between the two makes a wait end sooner. */
	off_ns = n->s->clk->src.clock_ns(CLOCK_REALTIME);
	hpt_clock_instant(n->s->clk, CLOCK_REALTIME, ret);
	off_ns -= ret->ns;
	errno = saved;
	if (off_ns < -HPT_PARTED_NS || off_ns > HPT_PARTED_NS) {
		hpt_clock_look(n->s->clk);
		hpt_clock_instant(n->s->clk, CLOCK_REALTIME, ret);
		off_ns = 0;
	}
	n->wall_ahead_ns = off_ns;
}

void hpt_nap_reckon(struct hpt_nap *n)
{
	struct hpt_instant view;

	if (n->line == HPT_SLEEP_TO_TICK)
		return;
	if (n->line == HPT_SLEEP_TO_UNIX_NS)
		view_unix(n, &view);
	else
		hpt_clock_instant(n->s->clk, CLOCK_MONOTONIC_RAW, &view);
	if (n->line == HPT_SLEEP_AFTER_NS) {
		int64_t since_ns = hpt_scale_round((int64_t)(view.tick - n->spin.now), view.slope);

		n->at = hpt_sum(n->at, view.ns - since_ns + 1);
		n->line = HPT_SLEEP_TO_NS;
	}
	if (view.generation != n->generation && view.state == HPT_STATE_DISRUPTED)
		n->state = HPT_STATE_DISRUPTED;
	n->generation = view.generation;
	n->mono_per_tick = view.mono_per_tick;
	aim(n, &view);
}

void hpt_nap_set_out(struct hpt_nap *n, int64_t at, uint64_t unit_ns)
{
	n->at = at;
	switch (n->line) {
	case HPT_SLEEP_AFTER_TICKS:
		n->line = HPT_SLEEP_TO_TICK;
		n->spin.deadline = later(n->spin.now, hpt_wide_of(at > 0 ? at : 0));
		break;
	case HPT_SLEEP_TO_TICK:
		n->spin.deadline = (uint64_t)at;
		break;
	case HPT_SLEEP_AFTER_NS:
		n->spin.deadline = n->spin.now;
		if (at <= 0)
			break;
		n->at = INT64_MAX;
		hpt_wide_narrow(hpt_wide_product(at, unit_ns), &n->at);
		/* Rounded to nearest, and so one more. */
		n->spin.deadline = later(n->spin.now, hpt_wide_add(hpt_wide_of(hpt_ns_to_ticks(n->s->clk, n->at)), hpt_wide_of(1)));
		break;
	default:
		hpt_nap_reckon(n);
		n->state = HPT_STATE_OK;
	}
}

/* ---- Counter and clock ---------------------------------------------------------------------------------- */

static struct hpt_bracket take_bracket(struct hpt_nap *n)
{
	struct hpt_clock *clk = n->s->clk;
	struct hpt_bracket b = { .before = clk->src.read(&clk->src) };

	b.mono_ns = hpt_kernel_ns(clk, CLOCK_MONOTONIC);
	b.after = n->spin.now = clk->src.read(&clk->src);
	return b;
}

void hpt_nap_note_parted(struct hpt_nap *n)
{
	struct hpt_instant view;
	bool is_anchor;

	if (!n->generation) { /* all spin */
		hpt_clock_instant(n->s->clk, CLOCK_MONOTONIC_RAW, &view);
		n->generation = view.generation;
	}
	hpt_clock_look(n->s->clk);
	hpt_clock_instant(n->s->clk, CLOCK_MONOTONIC_RAW, &view);
	is_anchor = view.generation != n->generation && view.state == HPT_STATE_REANCHORED;
	n->state = is_anchor ? HPT_STATE_REANCHORED : HPT_STATE_DISRUPTED;
}

/* Ticks that passed from a to b, in nanoseconds, beyond what the clock says: not 0 if that is more than can be. */
static int64_t gained_ns(const struct hpt_nap *n, const struct hpt_bracket *a, const struct hpt_bracket *b)
{
	int64_t least = hpt_scale_round((int64_t)(b->before - a->after), n->mono_per_tick);
	int64_t most = hpt_scale_round((int64_t)(b->after - a->before), n->mono_per_tick);
	int64_t passed = b->mono_ns - a->mono_ns, allowed = HPT_PARTED_NS + passed / HPT_PARTED_SHARE;

	if (most < passed - allowed)
		return most - passed;
	return least > passed + allowed ? least - passed : 0;
}

void hpt_nap_set_end(struct hpt_nap *n)
{
	int64_t left_ns = hpt_scale_round((int64_t)(n->spin.deadline - n->stage.after), n->mono_per_tick);

	n->spin.end_ns = hpt_sum(n->stage.mono_ns, left_ns);
}

int64_t hpt_nap_gained_ns(struct hpt_nap *n)
{
	struct hpt_bracket b = take_bracket(n);
	int64_t gained = gained_ns(n, &n->stage, &b);

	/* A counter that stands still may lose less than that in each of many short stages. */
	if (!gained)
		gained = gained_ns(n, &n->first, &b);
	n->stage = b;
	if (gained) {
		n->first = b;
		hpt_nap_note_parted(n);
	}
	return gained;
}

void hpt_nap_begin(struct hpt_nap *n)
{
	struct hpt_instant view;

	hpt_clock_instant(n->s->clk, CLOCK_MONOTONIC_RAW, &view);
	n->generation = view.generation;
	n->mono_per_tick = view.mono_per_tick;
	hpt_nap_reckon(n);
	hpt_relax_ask();
	n->first = n->stage = take_bracket(n);
	hpt_nap_set_end(n);
}
