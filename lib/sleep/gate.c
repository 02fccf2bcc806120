// SPDX-License-Identifier: MIT
/* Gates: many sleepers on one bell. Its value is a generation times two, and 1 more while the gate is closed. */
#include <errno.h>
#include <stdlib.h>

#include "sleep/waiter.h"

#define CLOSED     1u
#define GENERATION 2u

struct hpt_gate {
	struct hpt_bell bell;
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
	s.bell = &g->bell;
	s.quiet = atomic_load(&g->bell.value);
	if (s.quiet & CLOSED)
		return -ESHUTDOWN;
	r = hpt_sleep_on(&s, HPT_SLEEP_TO_TICK, deadline, 1, &left);
	return r == -ECANCELED && atomic_load(&g->bell.value) & CLOSED ? -ESHUTDOWN : r;
}

int hpt_gate_interrupt_all(hpt_gate *g)
{
	if (!g)
		return -EINVAL;
	atomic_fetch_add(&g->bell.value, GENERATION);
	hpt_bell_wake(&g->bell, g->clk->src.env);
	return 0;
}

int hpt_gate_close(hpt_gate *g)
{
	if (!g)
		return -EINVAL;
	if (!(atomic_fetch_or(&g->bell.value, CLOSED) & CLOSED))
		hpt_bell_wake(&g->bell, g->clk->src.env);
	return 0;
}

int hpt_gate_open(hpt_gate *g)
{
	uint32_t value;

	if (!g)
		return -EINVAL;
	/* One more carries into the generation: who slept through both sees another value than before, however late it looks. */
	value = atomic_load(&g->bell.value);
	while (value & CLOSED && !atomic_compare_exchange_weak(&g->bell.value, &value, value + 1))
		;
	return 0;
}
