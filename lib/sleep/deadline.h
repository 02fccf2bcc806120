/* SPDX-License-Identifier: MIT */
/*
 * A sleep's deadline in ticks of the counter, and the time left until then. All functions keep errno, and any thread or
 * signal handler may call them on a sleep of its own.
 */
#ifndef HPT_DEADLINE_H
#define HPT_DEADLINE_H

#include <time.h>

#include "sleep/sleep_state.h"

/* The time left at the latest read, by the rate as the sleep began. */
static inline int64_t hpt_deadline_left_ns(const struct hpt_sleep *sl)
{
	return hpt_scale_round((int64_t)(sl->spin.deadline - sl->spin.now), sl->rates.ns_per_tick);
}

/* True if the latest read is at or after the deadline. */
static inline bool hpt_deadline_is_over(const struct hpt_sleep *sl)
{
	return (int64_t)sl->spin.now >= (int64_t)sl->spin.deadline;
}

/* The clock of the kernel by which the deadline is a time. CLOCK_MONOTONIC_RAW: none, but hpt_now_ns()'s line. */
static inline clockid_t hpt_deadline_clock(enum hpt_deadline_kind kind)
{
	switch (kind) {
	case HPT_DEADLINE_UNIX_NS:
		return CLOCK_REALTIME;
	case HPT_DEADLINE_MONOTONIC_NS:
		return CLOCK_MONOTONIC;
	case HPT_DEADLINE_BOOTTIME_NS:
		return CLOCK_BOOTTIME;
	case HPT_DEADLINE_TAI_NS:
		return CLOCK_TAI;
	default:
		return CLOCK_MONOTONIC_RAW;
	}
}

/* The kind of a deadline by that clock. 0; -EINVAL: none of the four. */
int hpt_deadline_kind_by(clockid_t id, enum hpt_deadline_kind *ret);

static inline bool hpt_deadline_is_by_os(enum hpt_deadline_kind kind)
{
	return kind >= HPT_DEADLINE_UNIX_NS;
}

/* True if the deadline is a time on a timeline, of which only a record knows the tick. */
static inline bool hpt_deadline_is_on_timeline(const struct hpt_asked *asked)
{
	return asked->kind == HPT_DEADLINE_NS || hpt_deadline_is_by_os(asked->kind);
}

/* A first tick further than this before `now`, 25 us at 2.6 GHz, is not used: the counter jumped, or a preemption. */
#define HPT_DEADLINE_FIRST_TICKS 65536u

/*
 * The tick from which durations count: `first`, read at the very beginning, or, without one (0), `now`. That tick is
 * read after the record's sequence is loaded. If the counter jumped in between, only `now` is of that record.
 */
static inline uint64_t hpt_deadline_from(uint64_t first, uint64_t now)
{
	return first && now - first < HPT_DEADLINE_FIRST_TICKS ? first : now;
}

/* The time from one tick to another, of either sign, by a record's rate. */
static inline int64_t hpt_deadline_between_ns(const struct hpt_record *rec, uint64_t from, uint64_t to)
{
	return hpt_scale_round((int64_t)(to - from), rec->convert.ns_per_tick);
}

/*
 * The time of a tick on the timeline of that clock: see hpt_deadline_clock(). A record without lines follows the
 * kernel's clocks, and so does the OS clock but on hpt_now_ns()'s line: then it is kernel_ns.
 */
int64_t hpt_deadline_line_ns(clockid_t id, const struct hpt_record *rec, uint64_t tick, int64_t kernel_ns);

/*
 * The tick at which such a timeline, which is at ns at this tick, reaches `at`: never early, so possibly one tick late.
 * Saturates.
 */
uint64_t hpt_deadline_tick(clockid_t id, const struct hpt_record *rec, uint64_t tick, int64_t ns, int64_t at);

/*
 * Computes the deadline in ticks, but of a time on a timeline: hpt_sleep_place(). Call right after the counter read
 * spin.now, which follows the load of the record's sequence.
 */
void hpt_deadline_start(struct hpt_sleep *sl, int64_t at);

#endif
