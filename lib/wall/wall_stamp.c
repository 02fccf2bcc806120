// SPDX-License-Identifier: MIT
/*
 * hpt_wall_at_os_ns(): UTC when one of the kernel's clocks showed a time, such as the stamp of a packet. That clock is
 * read now, between two reads of the wall's counter. The time from the stamp until then is known as well as that clock
 * keeps its rate: the kernel slews it by up to 10 %, and nothing shows what it did meanwhile.
 */
#include <errno.h>
#include <time.h>

#include "arch/arch.h"
#include "clock/sized.h"
#include "math/units.h"
#include "wall/realtime.h"
#include "wall/wall_counter.h"
#include "wall/wall_keeper.h"
#include "wall/wall_read.h"
#include "wall/wall_rules.h"

/* The first read runs on cold caches, and one may be interrupted. */
#define STAMP_ROUNDS 3

/* Slewed by 10.1 %, as realtime.c has it, a clock takes from 1 / 1.101 to 1 / 0.899 of the time that it shows. */
#define STAMP_SLEW_PPB 112400000

/* No generation is older than ten years: see wall_record.c. The ticks of ten years fit. */
#define STAMP_MOST_NS (3650 * 86400 * NS_PER_S)

/* A clock of the kernel's showed ns while the wall's counter was in from to to, and the wall's clock was at tick. */
struct stamp_mark {
	uint64_t from, to, tick;
	int64_t  ns;
};

/* CLOCK_TAI is CLOCK_REALTIME and an offset that a daemon may set at any time, which no look sees. */
static bool is_bounded(int32_t clockid)
{
	return clockid == CLOCK_REALTIME || clockid == CLOCK_MONOTONIC || clockid == CLOCK_BOOTTIME ||
	       clockid == CLOCK_MONOTONIC_RAW;
}

static int mark_once(const struct hpt_wall *w, int32_t clockid, struct stamp_mark *ret)
{
	int r;

	ret->from = hpt_wall_counter(w);
	r = hpt_realtime_read(w->clk, clockid, &ret->ns);
	ret->tick = w->clk->src.read(&w->clk->src);
	ret->to = hpt_wall_counter(w);
	return r;
}

/* The narrowest of a few. 0, or -errno. */
static int take_stamp_mark(const struct hpt_wall *w, int32_t clockid, struct stamp_mark *ret)
{
	struct stamp_mark mark;

	for (int i = 0; i < STAMP_ROUNDS; i++) {
		int r = mark_once(w, clockid, &mark);

		if (r)
			return r;
		if (!i || mark.to - mark.from < ret->to - ret->from)
			*ret = mark;
	}
	return 0;
}

static int64_t part(int64_t ns, uint64_t ppb)
{
	return hpt_scale_round(ns, hpt_scale_of(ppb, PPB)) + 1;
}

/* How far the time since the stamp may differ from what that clock shows: by its rate, its steps, what was unseen. */
static int64_t stamp_error_ns(const struct hpt_wall_record *rec, const struct hpt_wall_rules *rules, int32_t clockid,
			      int64_t passed_ns)
{
	uint64_t ppb = rules->clock_ppb + (clockid == CLOCK_MONOTONIC_RAW ? 0 : STAMP_SLEW_PPB);
	int64_t steps_ns = (int64_t)rules->step_ns + 1;

	if (clockid == CLOCK_REALTIME)
		steps_ns = hpt_sum(steps_ns, rec->shown.unseen_ns);
	return hpt_sum(part(passed_ns, ppb), steps_ns);
}

static uint64_t stamp_ticks(const struct hpt_wall_rules *rules, int64_t ns)
{
	return (uint64_t)hpt_scale_round(ns, rules->tick_per_ns);
}

static int place_stamp(const struct hpt_wall *w, const struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
		       const struct stamp_mark *mark, int32_t clockid, int64_t ns, struct hpt_wall_time *ret)
{
	int64_t passed_ns, error_ns;
	uint64_t from, to;

	if (clockid == CLOCK_REALTIME && ns <= rec->shown.until_ns)
		return -ERANGE;
	if (__builtin_sub_overflow(mark->ns, ns, &passed_ns) || passed_ns < 0 || passed_ns > STAMP_MOST_NS)
		return -ERANGE;
	error_ns = stamp_error_ns(rec, rules, clockid, passed_ns);
	from = mark->from - stamp_ticks(rules, hpt_sum(passed_ns, error_ns)) - 1;
	to = mark->to + rules->step - stamp_ticks(rules, passed_ns - error_ns) + 1;
	if ((int64_t)(from - rec->first) < 0)
		return -ERANGE;
	hpt_wall_fill(ret, rec, from, to, mark->tick - stamp_ticks(rules, passed_ns));
	return hpt_wall_is_too_wide(w, ret) ? -ERANGE : 0;
}

/*
 * The clock is read before the look: a step after that only makes the look refuse a stamp that it need not, and one
 * before it is seen.
 */
static int at_os_ns(struct hpt_wall *w, int32_t clockid, int64_t ns, struct hpt_wall_time *ret)
{
	struct hpt_wall_record rec;
	struct hpt_wall_rules rules;
	struct stamp_mark mark;
	uint64_t now;
	int r = take_stamp_mark(w, clockid, &mark);

	if (r)
		return r;
	if (!hpt_wall_look(w) || !hpt_wall_rules_make(w, &rules) || hpt_wall_present(w, &rec, &now))
		return -EAGAIN;
	return place_stamp(w, &rec, &rules, &mark, clockid, ns, ret);
}

COLD int hpt_wall_at_os_ns(hpt_wall *w, int32_t clockid, int64_t ns, struct hpt_wall_time *ret, size_t size)
{
	struct hpt_wall_time time;
	int r;

	if (!w || !ret || size < sizeof(*ret) || !is_bounded(clockid))
		return -EINVAL;
	if (w->clk->src.own_time)
		return -ENOTSUP;
	r = at_os_ns(w, clockid, ns, &time);
	if (!r)
		*ret = time;
	return r;
}
