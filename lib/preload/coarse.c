// SPDX-License-Identifier: MIT
/*
 * The coarse clocks of clock_gettime(2) are the fine ones: for event loops that reckon their time-outs by a clock of
 * whole jiffies, and so end them milliseconds late. Only libhpt-preload-coarse.so has this: in a program that reads
 * clocks often each hook is felt. lib/preload/hook.h
 */
#include "preload/hook.h"

static clockid_t fine(clockid_t id)
{
	switch (id) {
	case CLOCK_MONOTONIC_COARSE:
		return CLOCK_MONOTONIC;
	case CLOCK_REALTIME_COARSE:
		return CLOCK_REALTIME;
	default:
		return id;
	}
}

HOOK int clock_gettime(clockid_t id, struct timespec *ret)
{
	const struct hpt_functions *next = hpt_next();

	return next->clock_gettime ? next->clock_gettime(hpt_is_loaded() ? fine(id) : id, ret) : hpt_missing();
}

#if HPT_HAS_TIME64

/* A name of the C library that programs call by that of the plain function. */
HOOK int __clock_gettime64(clockid_t id, struct hpt_time64 *ret);

HOOK int __clock_gettime64(clockid_t id, struct hpt_time64 *ret)
{
	const struct hpt_functions *next = hpt_next();

	return next->clock_gettime64 ?
	       next->clock_gettime64(hpt_is_loaded() ? fine(id) : id, ret) : hpt_missing();
}

#endif
