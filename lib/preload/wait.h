/* SPDX-License-Identifier: MIT */
/*
 * A wait of the program that events end: for descriptors, a semaphore, a condition variable, a word in memory. The
 * kernel waits by the program's own function until shortly before the deadline, and the rest is spent looking. An event
 * that comes while the kernel waits ends the wait as ever.
 */
#ifndef HPT_WAIT_H
#define HPT_WAIT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "preload/nap.h"
#include "sleep/look.h"

/* How often a look at a word in memory loads it: about as long as a look by a system call. */
#define HPT_WAIT_WORD_LOOKS 8

struct hpt_wait;

/* The functions return what ends the wait: above 0, or -errno; 0: nothing has. May change errno. */
struct hpt_wait_kind {
	/* Waits in the kernel for ns, or until_ns by the nap's clock, whichever the C library's function takes. */
	int (*wait)(struct hpt_wait *w, int64_t ns, int64_t until_ns);
	/* The same for whole milliseconds, by a system call of the program's own; NULL: wait() makes no other. */
	int (*wait_ms)(struct hpt_wait *w, int ms);
	/* Looks once. */
	int (*look)(struct hpt_wait *w);
	/* The kernel ends these waits late by a share of their length: select_estimate_accuracy(). */
	bool is_for_fds;
};

struct hpt_wait {
	struct hpt_nap nap; /* has the call and the exit */
	struct hpt_look look;
	const struct hpt_wait_kind *kind;
	bool has_waited;    /* in the kernel */
};

/* For a duration from now on. False: it is too short to be served, and is passed on. Keeps errno. */
bool hpt_wait_begin_for(struct hpt_wait *w, int64_t ns);

/* The same until a clock, MONOTONIC or REALTIME, reads at_ns. */
bool hpt_wait_begin_until(struct hpt_wait *w, clockid_t id, int64_t at_ns);

/* Once one of these returned true. The result as above; 0: the deadline, never before it. Keeps errno. */
int hpt_wait_take(struct hpt_wait *w);

/* A wait in the kernel, or a look: the poll() of struct hpt_env. */
int hpt_wait_poll(const struct hpt_fds *f, int64_t ns);

/* Of a function that returns -1 and sets errno: from the result of hpt_wait_take(). */
int hpt_wait_result(int result);

/* The result of such a function, for those above. */
int hpt_wait_ended(int r);

#endif
