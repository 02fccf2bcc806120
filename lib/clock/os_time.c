// SPDX-License-Identifier: MIT
/* hpt_time_to_os() and hpt_time_from_os(): a time of the clock as that of one of the kernel's clocks, and back. */
#include <errno.h>
#include <time.h>

#include "arch/arch.h"
#include "clock/default.h"
#include "clock/timekeeper.h"

/* The first bracket runs on cold caches, and one may be interrupted. */
#define OS_TIME_BRACKETS 3

static bool is_known(int32_t id)
{
	return id == CLOCK_REALTIME || id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW || id == CLOCK_BOOTTIME ||
	       id == CLOCK_TAI;
}

/* The narrowest of a few. */
static int take_os_bracket(const struct hpt_source *src, clockid_t id, struct hpt_bracket *ret)
{
	struct hpt_bracket brackets[OS_TIME_BRACKETS];
	uint64_t tick = src->read(src);

	for (int i = 0; i < OS_TIME_BRACKETS; i++) {
		int r = hpt_sample_clock(src, id, &brackets[i].ref_ns);

		if (r)
			return r;
		brackets[i].before = tick;
		tick = brackets[i].after = src->read(src);
	}
	*ret = *hpt_brackets_narrowest(brackets, OS_TIME_BRACKETS);
	return 0;
}

/*
 * The present line of that clock. NTP slews all of them alike but CLOCK_MONOTONIC_RAW, whose slope is the clock's rate.
 * The ticks of the OS clock are CLOCK_MONOTONIC's nanoseconds.
 */
static COLD int present_line(struct hpt_clock *clk, int32_t id, struct hpt_ray *ret)
{
	struct hpt_bracket bracket;
	struct hpt_record rec;
	int r;

	if (!is_known(id))
		return -EINVAL;
	if (clk->src.own_time)
		return -ENOTSUP;
	hpt_timekeeper_now(clk, &rec);
	ret->slope = id == CLOCK_MONOTONIC_RAW || hpt_record_is_exact(&rec) ?
		     rec.convert.ns_per_tick : rec.convert.unix_per_tick;
	ret->tick = ret->ns = 0;
	if (hpt_record_is_exact(&rec) && id == CLOCK_MONOTONIC)
		return 0;
	r = take_os_bracket(&clk->src, id, &bracket);
	if (r)
		return r;
	ret->tick = (int64_t)hpt_bracket_tick(&bracket);
	ret->ns = bracket.ref_ns;
	return 0;
}

int hpt_time_to_os(hpt_clock *clk, hpt_time_t t, int32_t clockid, int64_t *ret)
{
	struct hpt_ray line;
	int r = ret ? present_line(hpt_clock_or_default(clk), clockid, &line) : -EINVAL;

	return r ? r : hpt_wide_narrow(hpt_ray_ns(&line, t), ret);
}

int hpt_time_from_os(hpt_clock *clk, int64_t ns, int32_t clockid, hpt_time_t *ret)
{
	struct hpt_ray line;
	int r = ret ? present_line(hpt_clock_or_default(clk), clockid, &line) : -EINVAL;

	return r ? r : hpt_ray_tick(&line, hpt_wide_of(ns), ret);
}
