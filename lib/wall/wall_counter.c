// SPDX-License-Identifier: MIT
/* The counter of a wall, and the ticks of its clock: lib/wall/wall_counter.h. */
#include "wall/wall_counter.h"

#include "arch/arch.h"
#include "rate/sample.h"

/*
 * While CLOCK_MONOTONIC moves by ns, CLOCK_MONOTONIC_RAW moves by ns / 1.1005 to ns / 0.8995: these are wider. The same
 * shares bound the one by the other the other way round.
 */
#define MORE(ns) ((ns) + (ns) / 8 + 1)
#define LESS(ns) ((ns) - (ns) / 8 - 1)

/* Ticks so far off are of no use to a wall, and MORE() of them stays within int64: 146 years. */
#define MOST_NS (INT64_C(1) << 62)

COLD bool hpt_wall_counter_is_raw(const struct hpt_clock *clk)
{
	int64_t ns;

	return clk->src.ops->id == HPT_SOURCE_OS && clk->src.rate.origin == HPT_ORIGIN_EXACT &&
	       !hpt_sample_clock(&clk->src, CLOCK_MONOTONIC_RAW, &ns);
}

static uint64_t raw_ns(const struct hpt_wall *w)
{
	int64_t ns = 0; /* if it is refused now: a counter that jumped, by which the bound is lost */

	(void)hpt_sample_clock(&w->clk->src, CLOCK_MONOTONIC_RAW, &ns);
	return (uint64_t)ns;
}

COLD uint64_t hpt_wall_counter(const struct hpt_wall *w)
{
	return w->counts_raw ? raw_ns(w) : w->clk->src.read(&w->clk->src);
}

static int64_t limited(int64_t ns)
{
	return ns > MOST_NS ? MOST_NS : ns < -MOST_NS ? -MOST_NS : ns;
}

COLD void hpt_wall_counter_at(const struct hpt_wall *w, uint64_t tick, uint64_t *ret_from, uint64_t *ret_to)
{
	uint64_t before, after;
	int64_t passed_ns;

	*ret_from = *ret_to = tick;
	if (!w->counts_raw)
		return;
	before = raw_ns(w);
	passed_ns = limited((int64_t)(w->clk->src.read(&w->clk->src) - tick));
	after = raw_ns(w);
	*ret_from = before - (uint64_t)(passed_ns >= 0 ? MORE(passed_ns) : LESS(passed_ns));
	*ret_to = after - (uint64_t)(passed_ns >= 0 ? LESS(passed_ns) : MORE(passed_ns));
}

COLD int64_t hpt_wall_counter_tick(const struct hpt_wall *w, uint64_t counter)
{
	int64_t left_ns;

	if (!w->counts_raw)
		return (int64_t)counter;
	left_ns = (int64_t)(counter - raw_ns(w));
	return hpt_sum((int64_t)w->clk->src.read(&w->clk->src), left_ns > 0 ? LESS(left_ns) : left_ns);
}
