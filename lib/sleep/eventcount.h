/* SPDX-License-Identifier: MIT */
/* A word that ends sleeps when it changes: what waiters, gates and tickers are made of. */
#ifndef HPT_BELL_H
#define HPT_BELL_H

#include <stdatomic.h>
#include <stdint.h>

#include "machine/env.h"

/* On a cache line of its own: a spinning sleeper reads it each turn. */
struct hpt_bell {
	_Alignas(64) _Atomic uint32_t value;
	_Atomic uint32_t in_kernel; /* sleepers in or on their way to the kernel: without any no system call is needed */
};

/*
 * Behind a change of the value. The change comes before the look at in_kernel and a sleeper's entry there before the
 * kernel's look at the value, all in one order: one of the two sees the other.
 */
static inline void hpt_bell_wake(struct hpt_bell *bell, const struct hpt_env *env)
{
	if (atomic_load(&bell->in_kernel))
		env->wake(&bell->value);
}

#endif
