/* SPDX-License-Identifier: MIT */
/*
 * A sleep under way: its deadline in ticks, the time left, and whether the counter and the kernel's clock still agree.
 * All functions keep errno, and any thread or signal handler may call them on a sleep of its own.
 */
#ifndef HPT_DEADLINE_H
#define HPT_DEADLINE_H

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

/*
 * Computes the deadline in ticks. Call right after the counter read spin.now, which follows the load of the record's
 * sequence.
 */
void hpt_deadline_start(struct hpt_sleep *sl, int64_t at, uint64_t unit_ns);

/*
 * Compares the counter with the kernel's clock: with CLOCK_MONOTONIC_RAW, for the OS clock with CLOCK_MONOTONIC. The
 * first check compares with the current record, a later one with the check before. Then recomputes the deadline and
 * end.ns. Call before the first wait, after each wait, and where the spin asks for it.
 *
 * Returns by how many ns the counter gained since; 0 within HPT_DIVERGED_NS and the error of the rate. If it gained or
 * lost, the state is set. If it lost (negative), end.ns is the end of the sleep by the clock that did not stop: wait
 * for that. Where no clock can be read the result is negative too, and the state DISRUPTED.
 */
int64_t hpt_deadline_check(struct hpt_sleep *sl);

#endif
