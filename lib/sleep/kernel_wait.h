/* SPDX-License-Identifier: MIT */
/* One wait of a sleep in the kernel; and the rest of a sleep that ends by the kernel's clocks alone. */
#ifndef HPT_KERNEL_WAIT_H
#define HPT_KERNEL_WAIT_H

#include <time.h>

#include "sleep/sleep_state.h"

/*
 * Waits until the clock id reaches until_ns; for HPT_DURATION, that long. Returns 0 (woken), -ETIMEDOUT, -ECANCELED,
 * -EINTR, or the error by which the kernel refuses to wait. May change errno.
 */
int hpt_kernel_wait(struct hpt_sleep *sl, clockid_t id, int64_t until_ns);

/*
 * For a counter that lost time, as hpt_sleep_check() found: waits until CLOCK_MONOTONIC, for Unix time
 * CLOCK_REALTIME, reaches the deadline. Returns HPT_STATE_, -ECANCELED or -EINTR.
 */
int hpt_kernel_wait_by_clock(struct hpt_sleep *sl);

#endif
