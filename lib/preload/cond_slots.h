/* SPDX-License-Identifier: MIT */
/*
 * Signals to condition variables, counted for threads that look for them: such a thread is no waiter of the C library's
 * any more. Each variable has a slot, by its address, and some have it together: a signal to one then wakes those who
 * look for another for no reason, as any wait on a condition variable may. A slot's numbers are never taken back, so
 * that a cancelled thread and a forked child leave nothing wrong.
 */
#ifndef HPT_COND_SLOTS_H
#define HPT_COND_SLOTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"

#define HPT_COND_SLOTS 256u /* a power of two */

struct hpt_cond_slot {
	_Alignas(64) _Atomic uint32_t is_watched; /* a thread has waited here with a time-out */
	_Atomic uint32_t signals;                 /* since then */
};

extern struct hpt_cond_slot hpt_cond_slots[HPT_COND_SLOTS] HIDDEN;

/* The upper bits of the product, in which all bits of the address are: Fibonacci hashing. */
static inline struct hpt_cond_slot *hpt_cond_slot_of(const void *cond)
{
	uint64_t product = ((uint64_t)(uintptr_t)cond >> 3) * 0x9e3779b97f4a7c15u;

	return &hpt_cond_slots[product >> 56];
}

/* The key with which a thread looks for later signals. Call with the mutex held. */
static inline uint32_t hpt_cond_slot_watch(struct hpt_cond_slot *s)
{
	if (!atomic_load_explicit(&s->is_watched, memory_order_relaxed))
		atomic_store_explicit(&s->is_watched, 1, memory_order_seq_cst);
	return atomic_load_explicit(&s->signals, memory_order_acquire);
}

static inline bool hpt_cond_slot_has_signal(struct hpt_cond_slot *s, uint32_t key)
{
	return atomic_load_explicit(&s->signals, memory_order_acquire) != key;
}

/*
 * Before the C library's own signal. A signaller that had the mutex after a thread released it in its wait sees that
 * the thread watches; one that did not has no order with it by POSIX either.
 */
static inline void hpt_cond_slot_signal(struct hpt_cond_slot *s)
{
	if (unlikely(atomic_load_explicit(&s->is_watched, memory_order_relaxed)))
		atomic_fetch_add_explicit(&s->signals, 1, memory_order_release);
}

#endif
