/* SPDX-License-Identifier: MIT */
/*
 * What the functions that libhpt-preload.so replaces have in common. Calls that the kernel would refuse, and those that
 * neither sleep nor wait, go to the next object as they are, and get the kernel's own answer. So do all calls of a
 * function that another object has: it may be a fibre that sleeps, or time that is skipped.
 */
#ifndef HPT_HOOK_H
#define HPT_HOOK_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "arch/arch.h"
#include "math/units.h"
#include "preload/load.h"
#include "preload/nap.h"
#include "preload/next.h"
#include "preload/readable.h"
#include "preload/times.h"
#include "preload/variants.h"

#define HOOK __attribute__((visibility("default")))

/* The program's code that runs after the hook. */
#define NAP(CALL) { .call = (CALL), .exit = __builtin_return_address(0), \
		   .is_in_ms = (CALL) == HPT_CALL_POLL && !hpt_variants_are_allowed() }

/* thrd_sleep() returns -1 after a signal, and another negative number for an error. */
#define THRD_INTERRUPTED (-1)
#define THRD_REFUSED     (-2)

static inline bool hpt_is_served(enum hpt_name name)
{
	return hpt_is_loaded() && likely(hpt_is_own[name]);
}

/* The same for waits that events end too. */
static inline bool hpt_is_wait_served(enum hpt_name name)
{
	return hpt_is_served(name) && hpt_loaded.settings.waits != HPT_RUN_WAITS_NONE;
}

/* NULL is not. */
static inline bool hpt_is_time(const struct timespec *ts)
{
	return ts && ts->tv_sec >= 0 && ts->tv_nsec >= 0 && ts->tv_nsec < NS_PER_S;
}

/* Of a wait by which the kernel reads the time itself: it answers EFAULT where there is no memory. */
static inline bool hpt_is_time_of_kernel(const struct timespec *ts)
{
	return ts && hpt_is_readable(ts, sizeof(*ts)) && hpt_is_time(ts);
}

/* The result of a function that sets errno. */
static inline int hpt_result_of(int err)
{
	if (!err)
		return 0;
	errno = err;
	return -1;
}

/* Of a function that the C library does not have. */
static inline int hpt_missing(void)
{
	return hpt_result_of(ENOSYS);
}

#endif
