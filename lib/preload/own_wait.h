/* SPDX-License-Identifier: MIT */
/* Waits of sleeps by the C library's own functions, and how long they last. 0 or the error. May change errno. */
#ifndef HPT_OWN_WAIT_H
#define HPT_OWN_WAIT_H

#include <stdint.h>
#include <time.h>

#include "preload/tally.h"

/* How much of the time until then is left, at least 0. */
int64_t hpt_own_rest_ns(clockid_t id, int64_t until_ns);

/* In whole milliseconds, rounded down. */
int hpt_own_wait_by_poll(int64_t ns);

/*
 * Waits for a duration by the function that the program called: where a sandbox allows that one alone, this is no other
 * system call. poll() is ppoll() where that is allowed (preload/variants.h), else it waits less by a part of a
 * millisecond. nanosleep(), usleep(), sleep() and thrd_sleep() are clock_nanosleep() in the C library.
 */
int hpt_own_wait_for(enum hpt_call call, int64_t ns);

/* The same until a time. */
int hpt_own_wait_until(enum hpt_call call, clockid_t id, int64_t until_ns);

#endif
