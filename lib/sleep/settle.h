/* SPDX-License-Identifier: MIT */
/* When a sleep ends, by its first check: the counter may have stepped around the sleep's first tick. Pure functions. */
#ifndef HPT_SETTLE_H
#define HPT_SETTLE_H

#include "sleep/sleep_state.h"
#include "sleep/watchdog.h"

/*
 * Makes a duration a time on the timeline, and corrects a time on it. Returns the tick at which the sleep ends by the
 * clock: the deadline, unless the two disagree about it.
 */
uint64_t hpt_settle(struct hpt_asked *asked, uint64_t deadline, const struct hpt_found *f,
		    const struct hpt_record *rec);

#endif
