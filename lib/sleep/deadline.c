// SPDX-License-Identifier: MIT
/* A sleep's deadline in ticks: lib/sleep/deadline.h. */
#include "sleep/deadline.h"

#include <errno.h>

#include "arch/arch.h"
#include "math/units.h"
#include "rate/os_lines.h"
#include "clock/timekeeper.h"

int hpt_deadline_kind_by(clockid_t id, enum hpt_deadline_kind *ret)
{
	for (int kind = HPT_DEADLINE_UNIX_NS; kind <= HPT_DEADLINE_TAI_NS; kind++)
		if (hpt_deadline_clock((enum hpt_deadline_kind)kind) == id) {
			*ret = (enum hpt_deadline_kind)kind;
			return 0;
		}
	return -EINVAL;
}

/* Saturates. */
static uint64_t later(uint64_t tick, struct hpt_wide ticks)
{
	struct hpt_wide sum = hpt_wide_add(hpt_wide_of((int64_t)tick), ticks);
	int64_t ret = hpt_wide_is_negative(sum) ? INT64_MIN : INT64_MAX;

	hpt_wide_narrow(sum, &ret);
	return (uint64_t)ret;
}

int64_t hpt_deadline_line_ns(clockid_t id, const struct hpt_record *rec, uint64_t tick, int64_t kernel_ns)
{
	bool is_exact = hpt_record_is_exact(rec);

	if (is_exact && id == CLOCK_MONOTONIC_RAW)
		return (int64_t)tick;
	if (is_exact || !rec->read.line_span)
		return kernel_ns;
	return hpt_os_lines_ns(rec, id, tick);
}

uint64_t hpt_deadline_tick(clockid_t id, const struct hpt_record *rec, uint64_t tick, int64_t ns, int64_t at)
{
	struct hpt_scale slope = hpt_os_lines_slope(rec, id);
	struct hpt_wide left_ns = hpt_wide_subtract(hpt_wide_of(at), hpt_wide_of(ns));
	uint64_t deadline = later(tick, hpt_scale_divide(left_ns, slope));

	if (!hpt_wide_is_negative(left_ns) && (left_ns.hi | left_ns.lo))
		deadline = later(deadline, hpt_wide_of(1));
	return deadline;
}

/*
 * Makes the first record, which takes 0.1 ms, or where another counter is the kernel's a millisecond. The duration
 * then starts again, shorter by that time.
 */
static COLD __attribute__((noinline)) void make_record(struct hpt_sleep *sl)
{
	struct hpt_clock *clk = sl->s->clk;
	int64_t from_ns = hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC), took_ns;
	struct hpt_record rec;

	sl->watch.seen = hpt_timekeeper_current(clk, &rec);
	took_ns = hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC) - from_ns;
	sl->asked.at = sl->asked.at > took_ns ? sl->asked.at - took_ns : 0;
	sl->asked.start = sl->spin.now = hpt_source_now(&clk->src);
}

/* The most ticks that the duration can have: late by 2 us at most, by a rate known to 0.2 %, and never early. */
static COLD __attribute__((noinline)) int64_t provisional_ticks(const struct hpt_record *rec, int64_t ns)
{
	int64_t ticks = hpt_scale_round(ns, rec->convert.tick_per_ns);

	return hpt_sum(ticks, hpt_scale_round(ticks, hpt_scale_of(rec->rate.error_ppb, PPB)) + 1);
}

/* A short duration does not wait until the rate is better known, which takes a millisecond. */
static int64_t duration_ticks(const struct hpt_sleep *sl)
{
	struct hpt_record rec;

	if (sl->asked.at <= NS_PER_MS && unlikely(hpt_timekeeper_is_provisional(sl->s->clk))) {
		hpt_timekeeper_current(sl->s->clk, &rec);
		if (hpt_record_is_provisional(&rec))
			return provisional_ticks(&rec, sl->asked.at);
	}
	return hpt_ns_to_ticks(sl->s->clk, sl->asked.at);
}

static void start_duration(struct hpt_sleep *sl)
{
	sl->spin.deadline = sl->asked.start;
	if (sl->asked.at <= 0)
		return;
	if (unlikely(!sl->watch.seen))
		make_record(sl);
	/* Rounded to nearest: one tick more is never early. */
	sl->spin.deadline = later(sl->asked.start, hpt_wide_add(hpt_wide_of(duration_ticks(sl)), hpt_wide_of(1)));
}

void hpt_deadline_start(struct hpt_sleep *sl, int64_t at)
{
	sl->asked.at = at;
	sl->asked.start = hpt_deadline_from(sl->s->first, sl->spin.now);
	switch (sl->asked.kind) {
	case HPT_DEADLINE_TICK:
		sl->spin.deadline = (uint64_t)at;
		break;
	case HPT_DEADLINE_AFTER_NS:
		start_duration(sl);
		break;
	default:
		break;
	}
}
