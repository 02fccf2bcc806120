/* SPDX-License-Identifier: MIT */
/*
 * A shorter time slice around the waits of a thread whose wakes wait for other threads: a thread that wakes with it
 * takes the CPU from those, and does not wait for the end of theirs. Outside waits the thread has the slice that it
 * had. Callable from signal handlers.
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
	bool is_short;      /* set, and not restored: in a wait, or after one that was left by longjmp() */
	int64_t kernels_ns; /* the kernel's own */
	int64_t before_ns;  /* while a short one is set: the thread's before; 0: the kernel's own */
};

/* Finds the kind. Six system calls at most. May change errno. */
void hpt_slice_ask(const struct hpt_env *env, struct hpt_slice *s);

/* Sets it before a wait and restores it after one, if it can be set. Three system calls each. May change errno. */
void hpt_slice_shorten(const struct hpt_env *env, struct hpt_slice *s);
void hpt_slice_restore(const struct hpt_env *env, struct hpt_slice *s);

#endif
