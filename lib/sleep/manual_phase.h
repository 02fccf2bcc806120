/* SPDX-License-Identifier: MIT */
/* The whole of a sleep on a manual clock: it waits in the kernel until an advance reaches the deadline. */
#ifndef HPT_MANUAL_PHASE_H
#define HPT_MANUAL_PHASE_H

#include "source/manual.h"
#include "sleep/deadline.h"
#include "sleep/sleeper.h"

/*
 * Sleeps as hpt_sleep_on() on the sleeper's clock, which is manual; now: the tick that a duration starts from. Ends at
 * the first tick at or after the deadline, with 0, -ECANCELED or -EINTR. Neither spins nor reads a kernel clock.
 */
int hpt_manual_sleep(const struct hpt_sleeper *s, enum hpt_deadline_kind kind, int64_t at, uint64_t now,
		     int64_t *ret_left);

#endif
