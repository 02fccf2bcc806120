// SPDX-License-Identifier: MIT
/*
 * Gates: many waiters on one eventcount. Its value is a generation times two, plus 1 while the gate is shut. There is
 * no generation 0, so that a ticket of 0, which nobody took, is an error.
 */
#include <errno.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "source/own_time.h"
#include "sleep/last_word.h"
#include "sleep/waiter.h"

#define SHUT     1u
#define GATE_GENERATION 2u

struct hpt_gate {
	struct hpt_eventcount eventcount;
	struct hpt_clock *clk;
	uint32_t flags; /* HPT_WAIT_ */
	struct hpt_object_policy policy;
};

COLD int hpt_gate_new(hpt_clock *clk, uint32_t flags, hpt_gate **ret)
{
	struct hpt_gate *g;

	if (!ret || flags & ~(uint32_t)HPT_WAIT_EINTR)
		return -EINVAL;
	g = hpt_object_new(sizeof(*g));
	if (!g)
		return -ENOMEM;
	g->clk = hpt_clock_ref(clk);
	g->flags = flags;
	(void)hpt_eventcount_change(&g->eventcount, 0, GATE_GENERATION, g->clk->src.env);
	*ret = g;
	return 0;
}

COLD void hpt_gate_free(hpt_gate *g)
{
	if (g)
		hpt_clock_close(g->clk);
	free(g);
}

COLD hpt_clock *hpt_gate_clock(hpt_gate *g)
{
	return g ? g->clk : NULL;
}

uint32_t hpt_gate_ticket(hpt_gate *g)
{
	return g ? hpt_eventcount_value(&g->eventcount) : 0;
}

/* ---- Wait --------------------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) int wait_until(struct hpt_gate *g, uint32_t ticket,
							     enum hpt_deadline_kind kind, int64_t at)
{
	struct hpt_sleeper s = { .exit = __builtin_return_address(0), .key = ticket };
	int64_t left;
	int r;

	if (!g || !ticket)
		return -EINVAL;
	if (hpt_eventcount_value(&g->eventcount) & SHUT)
		return -ESHUTDOWN;
	s.clk = g->clk;
	s.eventcount = &g->eventcount;
	s.flags = g->flags;
	s.policy = hpt_policy_never_early(hpt_object_policy_current(&g->policy));
	do
		r = hpt_sleep_on(&s, kind, at, &left);
	while (unlikely(r > 0) && !hpt_last_word_is_kernels(g->clk, kind));
	if (r == -ECANCELED)
		return hpt_eventcount_value(&g->eventcount) & SHUT ? -ESHUTDOWN : 0;
	return r < 0 ? r : -ETIMEDOUT;
}

int hpt_gate_wait_until_ns(hpt_gate *g, uint32_t ticket, int64_t ns)
{
	return wait_until(g, ticket, HPT_DEADLINE_NS, ns);
}

int hpt_gate_wait_until_ticks(hpt_gate *g, uint32_t ticket, hpt_time_t deadline)
{
	return wait_until(g, ticket, HPT_DEADLINE_TICK, deadline);
}

/* ---- Notify ------------------------------------------------------------------------------------------------- */

static uint32_t later_value(uint32_t value, uint32_t added)
{
	value += added;
	return value & ~SHUT ? value : value + GATE_GENERATION;
}

int hpt_gate_notify_all(hpt_gate *g)
{
	const struct hpt_env *env;
	struct hpt_eventcount *of_clock;
	uint32_t value;

	if (!g)
		return -EINVAL;
	env = g->clk->src.env;
	of_clock = hpt_own_time_eventcount(&g->clk->src);
	do
		value = hpt_eventcount_value(&g->eventcount);
	while (!hpt_eventcount_change(&g->eventcount, value, later_value(value, GATE_GENERATION), env));
	hpt_own_time_notify(of_clock, env); /* *g and its clock may be gone */
	return 0;
}

/*
 * Adds 1, which shuts an open gate and reopens a shut one. Reopening carries into the generation, so that a thread that
 * waited through both sees a changed value, however late it looks.
 */
static COLD int step_if(hpt_gate *g, uint32_t shut)
{
	const struct hpt_env *env;
	struct hpt_eventcount *of_clock;
	uint32_t value;

	if (!g)
		return -EINVAL;
	env = g->clk->src.env;
	of_clock = hpt_own_time_eventcount(&g->clk->src);
	do
		value = hpt_eventcount_value(&g->eventcount);
	while ((value & SHUT) == shut &&
	       !hpt_eventcount_change(&g->eventcount, value, later_value(value, 1), env));
	hpt_own_time_notify(of_clock, env);
	return 0;
}

COLD int hpt_gate_shut(hpt_gate *g)
{
	return step_if(g, 0);
}

COLD int hpt_gate_reopen(hpt_gate *g)
{
	return step_if(g, SHUT);
}

COLD int hpt_gate_set_policy(hpt_gate *g, uint32_t policy, int64_t max_spin_ns)
{
	return g ? hpt_object_policy_set(&g->policy, policy, max_spin_ns) : -EINVAL;
}
