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

/* The clock by which a sleep waits in the kernel: CLOCK_MONOTONIC or CLOCK_REALTIME. */
clockid_t hpt_kernel_wait_clock(const struct hpt_sleep *sl);

/*
 * For a deadline by a clock of the kernel: the time of hpt_kernel_wait_clock() at which that clock reaches at_ns, or an
 * earlier one, from which to wait once more: *ret_is_cut.
 */
int64_t hpt_kernel_wait_end_ns(const struct hpt_sleep *sl, int64_t at_ns, bool *ret_is_cut);

/*
 * For a counter that lost time, as hpt_sleep_check() found: waits until CLOCK_MONOTONIC, or the deadline's own clock of
 * the kernel, reaches the deadline. Returns HPT_STATE_, -ECANCELED or -EINTR.
 */
int hpt_kernel_wait_by_clock(struct hpt_sleep *sl);

#endif
