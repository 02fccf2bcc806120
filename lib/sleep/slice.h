/* SPDX-License-Identifier: MIT */
/*
 * A short time slice for a thread whose wakes wait for other threads: with it a thread that wakes may take the CPU from
 * those, and does not wait for the end of theirs. It stays on between sleeps, as long as the thread runs briefly there:
 * one that computes for longer is later with a short slice than without. Callable from signal handlers.
 */
#ifndef HPT_SLICE_H
#define HPT_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/env.h"

enum hpt_slice_kind {
	HPT_SLICE_NONE,     /* it is as it is: not asked for, or the kernel, the class or a filter has none to set */
	HPT_SLICE_SHORT,    /* the thread has a short one already, as under "hpt run" */
	HPT_SLICE_SETTABLE,
};

/* Zeros: not asked for. */
struct hpt_slice {
	enum hpt_slice_kind kind;
	bool is_short;      /* set, and not restored, also where that failed: a filter has come, or another class */
	uint16_t ran_long;  /* the share of the latest sleeps before which the thread had run for long, in 65536ths */
	int64_t ended_ns;   /* CLOCK_MONOTONIC at the end of the latest sleep, INT64_MAX: within one */
	int64_t kernels_ns; /* the kernel's own */
	int64_t before_ns;  /* while a short one is set: the thread's before; 0: the kernel's own */
};

/* Finds the kind, and restores what was set before. 16 system calls at most. May change errno. */
void hpt_slice_ask(const struct hpt_env *env, struct hpt_slice *s);

/*
 * Where a sleep begins, at now_ns of CLOCK_MONOTONIC: sets a short slice if it is needed, can be set, and the thread
 * runs briefly between its sleeps, or else restores its own. Three system calls where that changes. May change errno.
 */
void hpt_slice_follow(const struct hpt_env *env, struct hpt_slice *s, bool is_needed, int64_t now_ns);

/* Where a sleep ends. */
static inline void hpt_slice_note_end(struct hpt_slice *s, int64_t now_ns)
{
	s->ended_ns = now_ns;
}

/* After a late wake: finds whether others have changed the slice, so that it is set once more. May change errno. */
void hpt_slice_check(const struct hpt_env *env, struct hpt_slice *s);

#endif
