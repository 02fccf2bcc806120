/* SPDX-License-Identifier: MIT */
/* Every kind of public sleep, with one goal: for tests that want the same of all, on a fake clock or on a real one. */
#ifndef SLEEP_KINDS_H
#define SLEEP_KINDS_H

#include <errno.h>
#include <stdbool.h>

#include "hpt/hpt.h"

/* A length, and the time at its end by each timeline. */
static struct {
	hpt_clock *clk; /* NULL: the default clock */
	int64_t length_ns;
	hpt_time_t tick, ticks;
	int64_t ns, unix_ns;
	hpt_waiter *waiter;
	hpt_gate *gate;
	hpt_ticker *ticker; /* with a period of the length */
} goal;

static inline int until(void)
{
	return hpt_sleep_until_ticks(goal.clk, goal.tick);
}

static inline int for_ns(void)
{
	return hpt_sleep_ns(goal.clk, goal.length_ns);
}

static inline int until_ns(void)
{
	return hpt_sleep_until_ns(goal.clk, goal.ns);
}

static inline int until_unix_ns(void)
{
	return hpt_sleep_until_unix_ns(goal.clk, goal.unix_ns);
}

static inline int on_waiter_for_ns(void)
{
	return hpt_waiter_sleep_ns(goal.waiter, goal.length_ns);
}

static inline int on_waiter_until(void)
{
	return hpt_waiter_sleep_until_ticks(goal.waiter, goal.tick);
}

static inline int on_gate_until(void)
{
	return hpt_gate_wait_until_ticks(goal.gate, hpt_gate_ticket(goal.gate), goal.tick);
}

static inline int on_gate_until_ns(void)
{
	return hpt_gate_wait_until_ns(goal.gate, hpt_gate_ticket(goal.gate), goal.ns);
}

static inline int to_tick(void)
{
	return hpt_ticker_wait(goal.ticker, NULL);
}

/* A sleep that follows the counter is not early by it, whatever another clock says; others are not by the kernel's. */
static const struct sleep_kind {
	const char *name;
	int (*sleep)(void);
	bool by_counter, is_duration;
	int reached; /* the result at the deadline, if nothing disturbed the sleep */
} sleep_kinds[] = {
	{ "until", until, true, false, 0 },
	{ "ns", for_ns, false, true, 0 },
	{ "until_ns", until_ns, false, false, 0 },
	{ "until_unix_ns", until_unix_ns, false, false, 0 },
	{ "waiter ns", on_waiter_for_ns, false, true, 0 },
	{ "waiter until", on_waiter_until, true, false, 0 },
	{ "gate", on_gate_until, true, false, -ETIMEDOUT },
	{ "gate ns", on_gate_until_ns, false, false, -ETIMEDOUT },
	{ "ticker", to_tick, false, false, 0 },
};

/* Makes the objects and sets the times, by the clock's state now. False: an object cannot be made. */
static inline bool set_goal(hpt_clock *on, int64_t length_ns)
{
	goal.clk = on;
	goal.length_ns = length_ns;
	if (hpt_waiter_new(on, 0, &goal.waiter) || hpt_gate_new(on, 0, &goal.gate) ||
	    hpt_ticker_new(on, length_ns, 0, &goal.ticker))
		return false;
	goal.ticks = hpt_ns_to_ticks(on, length_ns);
	goal.ns = hpt_now_ns(on) + length_ns;
	goal.unix_ns = hpt_now_unix_ns(on) + length_ns;
	goal.tick = hpt_now(on) + goal.ticks;
	return true;
}

static inline void free_goal_objects(void)
{
	hpt_waiter_free(goal.waiter);
	hpt_gate_free(goal.gate);
	hpt_ticker_free(goal.ticker);
}

#endif
