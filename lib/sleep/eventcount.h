/* SPDX-License-Identifier: MIT */
/* A word that ends sleeps when it changes: what waiters, gates and tickers are made of. */
#ifndef HPT_EVENTCOUNT_H
#define HPT_EVENTCOUNT_H

#include <stdatomic.h>
#include <stdint.h>

#include "machine/env.h"

/* On a cache line of its own: a spinning sleeper reads it each turn. */
struct hpt_eventcount {
	_Alignas(64) _Atomic uint32_t value;
	_Atomic uint32_t in_kernel; /* sleepers in or on their way to the kernel: without any no system call is needed */
};

/*
 * Behind a change of the value. The change comes before the look at in_kernel and a sleeper's entry there before the
 * kernel's look at the value, all in one order: one of the two sees the other.
 */
static inline void hpt_eventcount_notify(struct hpt_eventcount *ec, const struct hpt_env *env)
{
	if (atomic_load(&ec->in_kernel))
		env->wake(&ec->value);
}

#endif
