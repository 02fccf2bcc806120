/* SPDX-License-Identifier: MIT */
/*
 * Sources that have a time of their own by definition. The kernel's clocks say nothing about it: no record is learned,
 * conversions are exact, and sleepers wait for the source itself.
 */
#ifndef HPT_OWN_TIME_H
#define HPT_OWN_TIME_H

#include "arch/arch.h"
#include "machine/eventcount.h"
#include "source/source.h"

struct hpt_own_time {
	/* The time of tick t, rounded down. It may exceed int64. */
	struct hpt_wide (*ns)(const struct hpt_source *src, int64_t t);
	/* Durations, and the tick of a time. Rounded to nearest, halves away from zero. */
	struct hpt_wide (*duration_ns)(const struct hpt_source *src, struct hpt_wide ticks);
	struct hpt_wide (*ticks)(const struct hpt_source *src, struct hpt_wide ns);
	/* The first tick at which hpt_now_ns() is at or after ns; for a duration, how many ticks it takes at least. */
	struct hpt_wide (*tick_at)(const struct hpt_source *src, struct hpt_wide ns);
	/* The tick nearest to `end` (INT64_MIN or INT64_MAX) whose ns fit int64. */
	int64_t (*furthest)(const struct hpt_source *src, int64_t end);
	/* What sleepers wait on. Its memory outlives the source: at worst a later source has it. */
	struct hpt_eventcount *(*eventcount)(const struct hpt_source *src);
};

/* For hpt_own_time_notify(), taken while the source is surely open; NULL: sleepers wait by the kernel's clocks. */
static inline struct hpt_eventcount *hpt_own_time_eventcount(const struct hpt_source *src)
{
	return unlikely(src->own_time) ? src->own_time->eventcount(src) : NULL;
}

/*
 * Makes all sleepers on such a source look again. The source may be closed by now. Keeps errno. Callable from signal
 * handlers.
 */
static inline void hpt_own_time_notify(struct hpt_eventcount *ec, const struct hpt_env *env)
{
	if (unlikely(ec))
		hpt_eventcount_notify(ec, 1, env);
}

#endif
