/* SPDX-License-Identifier: MIT */
/* One sleep: waits in the kernel that end a learned margin early, then a spin that ends on the deadline. */
#ifndef HPT_SLEEP_INTERNAL_H
#define HPT_SLEEP_INTERNAL_H

#include <stdint.h>

#include "sleep/deadline.h"
#include "sleep/sleeper.h"

/*
 * Sleeps until the deadline `at` of that kind. Returns 0; HPT_STATE_ where counter and clock diverged; -ECANCELED where the
 * eventcount was notified, which is left as it is; or -EINTR. *ret_left is set where it returns: the ticks that were left,
 * 0 at or after the deadline.
 */
int hpt_sleep_on(const struct hpt_sleeper *s, enum hpt_deadline_kind kind, int64_t at, uint64_t unit_ns,
		 int64_t *ret_left);

#endif
