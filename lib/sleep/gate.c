// SPDX-License-Identifier: MIT
/* Gates: many sleepers on one eventcount. Its value is a generation times two, plus 1 while the gate is closed. */
#include <errno.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "source/own_time.h"
#include "sleep/waiter.h"

#define CLOSED     1u
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

	if (!ret || flags & ~HPT_WAIT_EINTR)
		return -EINVAL;
	g = hpt_object_new(sizeof(*g));
	if (!g)
		return -ENOMEM;
	g->clk = hpt_clock_ref(clk);
	g->flags = flags;
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

int hpt_gate_sleep_until(hpt_gate *g, uint32_t ticket, hpt_time_t deadline)
{
	struct hpt_sleeper s = { .exit = __builtin_return_address(0), .key = ticket };
	int64_t left;
	int r;

	if (!g)
		return -EINVAL;
	if (hpt_eventcount_value(&g->eventcount) & CLOSED)
		return -ESHUTDOWN;
	s.clk = g->clk;
	s.eventcount = &g->eventcount;
	s.flags = g->flags;
	s.policy = hpt_object_policy_current(&g->policy);
	r = hpt_sleep_on(&s, HPT_DEADLINE_TICK, deadline, 1, &left);
	return r == -ECANCELED && hpt_eventcount_value(&g->eventcount) & CLOSED ? -ESHUTDOWN : r;
}

int hpt_gate_interrupt_all(hpt_gate *g)
{
	const struct hpt_env *env;
	struct hpt_eventcount *of_clock;

	if (!g)
		return -EINVAL;
	env = g->clk->src.env;
	of_clock = hpt_own_time_eventcount(&g->clk->src);
	hpt_eventcount_notify(&g->eventcount, GATE_GENERATION, env); /* the last access to *g, and to its clock */
	hpt_own_time_notify(of_clock, env);
	return 0;
}

/*
 * Adds 1, which closes an open gate and opens a closed one. Opening carries into the generation, so that a sleeper that
 * slept through close and open sees a changed value, however late it looks.
 */
static COLD int step_if(hpt_gate *g, uint32_t closed)
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
	while ((value & CLOSED) == closed && !hpt_eventcount_change(&g->eventcount, value, value + 1, env));
	hpt_own_time_notify(of_clock, env);
	return 0;
}

COLD int hpt_gate_close(hpt_gate *g)
{
	return step_if(g, 0);
}

COLD int hpt_gate_open(hpt_gate *g)
{
	return step_if(g, CLOSED);
}

COLD int hpt_gate_set_policy(hpt_gate *g, uint32_t policy, int64_t max_spin_ns)
{
	return g ? hpt_object_policy_set(&g->policy, policy, max_spin_ns) : -EINVAL;
}
