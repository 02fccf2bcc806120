// SPDX-License-Identifier: MIT
/* Gates: many sleepers on one eventcount. Its value is a generation times two, plus 1 while the gate is closed. */
#include <errno.h>
#include <stdlib.h>

#include "clock/default.h"
#include "sleep/waiter.h"

#define CLOSED     1u
#define GENERATION 2u

struct hpt_gate {
	struct hpt_eventcount eventcount;
	struct hpt_clock *clk;
};

int hpt_gate_new(hpt_clock *clk, hpt_gate **ret)
{
	struct hpt_gate *g;

	if (!ret)
		return -EINVAL;
	g = hpt_object_new(sizeof(*g));
	if (!g)
		return -ENOMEM;
	g->clk = hpt_clock_or_default(clk);
	*ret = g;
	return 0;
}

void hpt_gate_free(hpt_gate *g)
{
	free(g);
}

int hpt_gate_sleep_until(hpt_gate *g, hpt_time_t deadline)
{
	struct hpt_sleeper s = { .policy = hpt_policy_current(), .exit = __builtin_return_address(0) };
	int64_t left;
	int r;

	if (!g)
		return -EINVAL;
	s.clk = g->clk;
	s.eventcount = &g->eventcount;
	s.key = atomic_load(&g->eventcount.value);
	if (s.key & CLOSED)
		return -ESHUTDOWN;
	r = hpt_sleep_on(&s, HPT_DEADLINE_TICK, deadline, 1, &left);
	return r == -ECANCELED && atomic_load(&g->eventcount.value) & CLOSED ? -ESHUTDOWN : r;
}

int hpt_gate_interrupt_all(hpt_gate *g)
{
	if (!g)
		return -EINVAL;
	atomic_fetch_add(&g->eventcount.value, GENERATION);
	hpt_eventcount_notify(&g->eventcount, g->clk->src.env);
	return 0;
}

int hpt_gate_close(hpt_gate *g)
{
	if (!g)
		return -EINVAL;
	if (!(atomic_fetch_or(&g->eventcount.value, CLOSED) & CLOSED))
		hpt_eventcount_notify(&g->eventcount, g->clk->src.env);
	return 0;
}

int hpt_gate_open(hpt_gate *g)
{
	uint32_t value;

	if (!g)
		return -EINVAL;
	/*
	 * Adding 1 carries into the generation, so that a sleeper that slept through close and open sees a changed
	 * value, however late it looks.
	 */
	value = atomic_load(&g->eventcount.value);
	while (value & CLOSED && !atomic_compare_exchange_weak(&g->eventcount.value, &value, value + 1))
		;
	return 0;
}
