/* SPDX-License-Identifier: MIT */
/*
 * Applies what the watchdog finds to a sleep: its state, its deadline in ticks, and its end by the kernel's clocks. All
 * functions keep errno, and any thread or signal handler may call them on a sleep of its own.
 */
#ifndef HPT_SLEEP_CHECK_H
#define HPT_SLEEP_CHECK_H

#include "math/units.h"
#include "sleep/deadline.h"
#include "sleep/sleep_state.h"

/*
 * Compares the counter with the kernel's clock, then recomputes the deadline and sl->end. Call before the first wait,
 * after each wait, and where the spin asks for it.
 *
 * Returns by how many ns the counter gained, as the watchdog found. If it gained or lost, the state is set. If it lost
 * (negative), sl->end.ns is the end of the sleep by the clock that did not stop: wait for that. Where no clock can be
 * read the result is negative too, and the state DISRUPTED.
 */
int64_t hpt_sleep_check(struct hpt_sleep *sl);

/* The first check of a sleep until a time on a timeline, which finds its tick. Events before the sleep do not count. */
void hpt_sleep_place(struct hpt_sleep *sl);

/* CLOCK_MONOTONIC at the latest check's reading. */
static inline int64_t hpt_sleep_checked_ns(const struct hpt_sleep *sl)
{
	return hpt_sum(sl->end.ns, -hpt_deadline_left_ns(sl));
}

#endif
