/* SPDX-License-Identifier: MIT */
/*
 * An eventcount: a futex word whose change ends the sleeps that wait on it. Waiters, gates and tickers are made of it.
 * The scheme is that of folly::EventCount. A sleeper takes the value as its key, announces its wait in in_kernel, and
 * waits in the kernel while the value is still the key; a notifier changes the value and wakes announced sleepers.
 */
#ifndef HPT_EVENTCOUNT_H
#define HPT_EVENTCOUNT_H

#include <stdatomic.h>
#include <stdint.h>

#include "machine/env.h"

/* Has a cache line of its own, since a spinning sleeper reads the value each turn. */
struct hpt_eventcount {
	_Alignas(64) _Atomic uint32_t value;
	_Atomic uint32_t in_kernel; /* sleepers in the kernel or on their way; 0: notify makes no system call */
};

/*
 * Call after a change of the value. The change precedes the load of in_kernel; a sleeper's increment of in_kernel
 * precedes the kernel's load of the value; all are sequentially consistent. So either the notifier sees the sleeper,
 * or the kernel sees the change and does not wait. Keeps errno. Callable from signal handlers.
 */
static inline void hpt_eventcount_notify(struct hpt_eventcount *ec, const struct hpt_env *env)
{
	if (atomic_load(&ec->in_kernel))
		env->wake(&ec->value);
}

#endif
