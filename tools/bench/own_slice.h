/* SPDX-License-Identifier: MIT */
/*
 * Beside busy threads libhpt's sleeps leave the calling thread a short time slice: lib/sleep/slice.h. The other ways of
 * a bench sleep with the thread's own.
 */
#ifndef HPT_TOOLS_OWN_SLICE_H
#define HPT_TOOLS_OWN_SLICE_H

#include <stdint.h>

#include "bench/candidates_sleep.h"

/* The thread's, before its first sleep; 0: the kernel has none for each thread. */
int64_t own_slice_ns(void);

/* Before a way sleeps. Returns what to restore after it, or 0. */
int64_t own_slice_take(const struct sleep_candidate *way, int64_t own_ns);

void own_slice_leave(int64_t before_ns);

#endif
