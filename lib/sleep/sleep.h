/* SPDX-License-Identifier: MIT */
/* One sleep: waits in the kernel that end early by a learned margin, then a spin that ends at the deadline. */
#ifndef HPT_SLEEP_INTERNAL_H
#define HPT_SLEEP_INTERNAL_H

#include <stdint.h>

#include "sleep/deadline.h"
#include "sleep/sleeper.h"

/*
 * Sleeps until the deadline `at` of that kind. Returns 0 at the deadline, never early (with HPT_SLEEP_NOSPIN early by
 * up to max_spin_ns); HPT_STATE_ where counter and clock diverged; -ECANCELED where the eventcount was notified, which
 * stays as it is; or -EINTR. *ret_left is set to the ticks left, negative by how many the latest read was after the
 * deadline. Keeps errno. Callable from signal handlers.
 */
int hpt_sleep_on(const struct hpt_sleeper *s, enum hpt_deadline_kind kind, int64_t at, int64_t *ret_left);

#endif
