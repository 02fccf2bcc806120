/* SPDX-License-Identifier: MIT */
/*
 * An eventcount (as folly's EventCount): a value whose change ends waits, and the number of sleepers that wait for it
 * in the kernel. All functions keep errno, and any thread or signal handler may call them.
 *
 * Both numbers are in one 64-bit word. So a notifier changes the value and learns whether anybody waits in one
 * operation, and touches nothing afterwards: the sleeper that sees the change may free the eventcount at once. (A
 * FUTEX_WAKE that comes later still only names an address.) Machines without 64-bit atomic instructions keep two words:
 * there a sleeper has to know that the notifier has returned before it frees.
 */
#ifndef HPT_EVENTCOUNT_H
#define HPT_EVENTCOUNT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "machine/env.h"

#if ATOMIC_LLONG_LOCK_FREE == 2

/* The value is the high half, so that it wraps without a carry into the other number. */
#define HPT_EVENTCOUNT_VALUE_SHIFT 32

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HPT_EVENTCOUNT_VALUE_HALF 1
#else
#define HPT_EVENTCOUNT_VALUE_HALF 0
#endif

/* Has a cache line of its own, since a spinning sleeper reads the value each turn. */
struct hpt_eventcount {
	_Alignas(64) _Atomic uint64_t word; /* value, and sleepers in the kernel or on their way there */
};

static inline uint32_t hpt_eventcount_value(const struct hpt_eventcount *ec)
{
	return (uint32_t)(atomic_load_explicit(&ec->word, memory_order_acquire) >> HPT_EVENTCOUNT_VALUE_SHIFT);
}

static inline uint32_t hpt_eventcount_sleepers(const struct hpt_eventcount *ec)
{
	return (uint32_t)atomic_load_explicit(&ec->word, memory_order_relaxed);
}

/* The word that the kernel compares with the value that a sleeper expects. */
static inline const _Atomic uint32_t *hpt_eventcount_futex(const struct hpt_eventcount *ec)
{
	return (const _Atomic uint32_t *)(const void *)&ec->word + HPT_EVENTCOUNT_VALUE_HALF;
}

/*
 * Call before and after a wait in the kernel. The increment precedes the kernel's load of the value, and a notifier's
 * change is one operation on the same word: so either the notifier sees the sleeper, or the kernel sees the change. On
 * one word this holds in any memory order; release and acquire are for what the notifier wrote before.
 */
static inline void hpt_eventcount_enter(struct hpt_eventcount *ec)
{
	atomic_fetch_add_explicit(&ec->word, 1, memory_order_relaxed);
}

static inline void hpt_eventcount_leave(struct hpt_eventcount *ec)
{
	atomic_fetch_sub_explicit(&ec->word, 1, memory_order_relaxed);
}

/* As enter, for a sleeper that waits elsewhere, and leave: see machine/bell.h. The number may wrap. */
static inline void hpt_eventcount_add_sleepers(struct hpt_eventcount *ec, uint32_t added)
{
	atomic_fetch_add_explicit(&ec->word, (uint64_t)(int64_t)(int32_t)added, memory_order_relaxed);
}

/* Changes the value from old to new and ends the waits of all sleepers. False: it was not old. */
static inline bool hpt_eventcount_change(struct hpt_eventcount *ec, uint32_t old, uint32_t new,
					 const struct hpt_env *env)
{
	uint64_t word = atomic_load_explicit(&ec->word, memory_order_relaxed);

	do {
		if ((uint32_t)(word >> HPT_EVENTCOUNT_VALUE_SHIFT) != old)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(&ec->word, &word,
							(uint64_t)new << HPT_EVENTCOUNT_VALUE_SHIFT | (uint32_t)word,
							memory_order_release, memory_order_relaxed));
	if ((uint32_t)word)
		env->wake(hpt_eventcount_futex(ec));
	return true;
}

/* Adds to the value and ends the waits of all sleepers, whose number is returned. *ec may then be gone. */
static inline uint32_t hpt_eventcount_notify(struct hpt_eventcount *ec, uint32_t added, const struct hpt_env *env)
{
	uint64_t word = atomic_fetch_add_explicit(&ec->word, (uint64_t)added << HPT_EVENTCOUNT_VALUE_SHIFT,
						  memory_order_release);

	if ((uint32_t)word)
		env->wake(hpt_eventcount_futex(ec));
	return (uint32_t)word;
}

#else

struct hpt_eventcount {
	_Alignas(64) _Atomic uint32_t value;
	_Atomic uint32_t in_kernel; /* sleepers in the kernel or on their way; 0: notify makes no system call */
};

static inline uint32_t hpt_eventcount_value(const struct hpt_eventcount *ec)
{
	return atomic_load_explicit(&ec->value, memory_order_acquire);
}

static inline uint32_t hpt_eventcount_sleepers(const struct hpt_eventcount *ec)
{
	return atomic_load_explicit(&ec->in_kernel, memory_order_relaxed);
}

static inline const _Atomic uint32_t *hpt_eventcount_futex(const struct hpt_eventcount *ec)
{
	return &ec->value;
}

/*
 * As above. The kernel has a full barrier between this increment and its load of the value (Linux 3.14). A notifier's
 * change and its load of in_kernel are sequentially consistent. So one of the two sees the other.
 */
static inline void hpt_eventcount_enter(struct hpt_eventcount *ec)
{
	atomic_fetch_add_explicit(&ec->in_kernel, 1, memory_order_relaxed);
}

static inline void hpt_eventcount_leave(struct hpt_eventcount *ec)
{
	atomic_fetch_sub_explicit(&ec->in_kernel, 1, memory_order_relaxed);
}

/* The fence is the kernel's, which is not between this and the sleeper's load of the value. */
static inline void hpt_eventcount_add_sleepers(struct hpt_eventcount *ec, uint32_t added)
{
	atomic_fetch_add_explicit(&ec->in_kernel, added, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
}

static inline bool hpt_eventcount_change(struct hpt_eventcount *ec, uint32_t old, uint32_t new,
					 const struct hpt_env *env)
{
	if (!atomic_compare_exchange_strong(&ec->value, &old, new))
		return false;
	if (atomic_load(&ec->in_kernel))
		env->wake(hpt_eventcount_futex(ec));
	return true;
}

static inline uint32_t hpt_eventcount_notify(struct hpt_eventcount *ec, uint32_t added, const struct hpt_env *env)
{
	uint32_t sleepers;

	atomic_fetch_add(&ec->value, added);
	sleepers = atomic_load(&ec->in_kernel);
	if (sleepers)
		env->wake(hpt_eventcount_futex(ec));
	return sleepers;
}

#endif

#endif
