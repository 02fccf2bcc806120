// SPDX-License-Identifier: MIT
/* Manual clocks: hpt_clock_new_manual(), hpt_clock_advance(), hpt_clock_sleepers(). */
#include <errno.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "source/manual.h"
#include "clock/timekeeper.h"
#include "clock/world.h"

static int64_t manual_now_ns(struct hpt_clock *clk)
{
	return (int64_t)hpt_manual_ns(&clk->src, (int64_t)clk->src.read(&clk->src)).lo;
}

/* Each of the kernel's lines is the clock's own time: the kernel's clocks have nothing to do with it. */
static int64_t manual_now_os_ns(struct hpt_clock *clk, size_t line, size_t at)
{
	(void)line, (void)at;
	return manual_now_ns(clk);
}

/*
 * The one record, which is never renewed. It serves no tick and converts no duration, so that every conversion takes
 * the slow path; there manual clocks are computed exactly.
 */
static COLD void publish_record(struct hpt_clock *clk)
{
	const struct hpt_rate *rate = &clk->src.rate;
	struct hpt_scale ns_per_tick = hpt_scale_of(rate->num, rate->den);
	struct hpt_record rec = {
		.convert.ns_per_tick = ns_per_tick, .convert.tick_per_ns = hpt_scale_of(rate->den, rate->num),
		.convert.unix_per_tick = ns_per_tick, .read = { .ns.slope = ns_per_tick, .unix_ns.slope = ns_per_tick },
		.generation = 1, .rate.origin = rate->origin,
		.rate.frequency_uhz = rate->frequency_uhz, .rate.unix_uhz = rate->frequency_uhz,
	};

	hpt_timekeeper_publish(clk, &rec, 0);
}

static COLD int open_manual(struct hpt_clock *clk, uint64_t frequency_hz, hpt_time_t start)
{
	int r = hpt_manual_open(&clk->src, hpt_world.env, frequency_hz, start);

	if (r)
		return r;
	clk->reason = HPT_REASON_REQUESTED;
	clk->cost.step_ticks = 1;
	atomic_init(&clk->now_ns, manual_now_ns);
	atomic_init(&clk->now_ns_unordered, manual_now_ns);
	atomic_init(&clk->now_os_ns, manual_now_os_ns);
	publish_record(clk);
	return 0;
}

COLD int hpt_clock_new_manual(uint64_t frequency_hz, hpt_time_t start, uint32_t flags, hpt_clock **ret)
{
	struct hpt_clock *clk;
	int r, saved = errno;

	if (!ret || flags)
		return -EINVAL;
	clk = hpt_clock_allocate();
	r = clk ? open_manual(clk, frequency_hz, start) : -ENOMEM;
	if (r)
		free(clk);
	else
		*ret = clk;
	errno = saved;
	return r;
}

COLD int hpt_clock_advance(hpt_clock *clk, int64_t ticks)
{
	if (!clk)
		return -EINVAL;
	return hpt_manual_of(&clk->src) ? hpt_manual_advance(&clk->src, ticks) : -ENOTSUP;
}

COLD uint32_t hpt_clock_sleepers(hpt_clock *clk)
{
	struct hpt_manual *m = clk ? hpt_manual_of(&clk->src) : NULL;

	return m ? hpt_manual_sleepers(m, clk->src.env) : 0;
}
