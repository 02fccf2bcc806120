/* SPDX-License-Identifier: MIT */
/* A sleeper that can be woken: what waiters are, and tickers are made of. */
#ifndef HPT_WAITER_H
#define HPT_WAITER_H

#include <errno.h>
#include <stddef.h>

#include "sleep/sleep.h"

struct hpt_waiter {
	struct hpt_eventcount eventcount;     /* how many interrupts there were; only they write it */
	_Atomic uint32_t seen;    /* of these: one is pending if there are more. On a line that others do not own. */
	struct hpt_clock *clk;
	_Atomic uint32_t is_busy; /* somebody sleeps */
	uint32_t flags;           /* HPT_WAIT_ */
	struct hpt_policy policy; /* zeros: the process's */
	_Atomic int64_t left;     /* ticks: of the latest sleep */
};

/* Zeros on a cache line of their own, for free(); or NULL. errno stays as it is. */
void *hpt_object_new(size_t size);

/* 0 and the sleeper to sleep with, up to hpt_waiter_end(); or -EINVAL, -EBUSY. */
int hpt_waiter_begin(struct hpt_waiter *w, const void *exit, struct hpt_sleeper *ret);

/* More interrupts than can come while one thread forgets some. */
#define HPT_WAITER_RACE 65536u

/*
 * All interrupts so far are done with; what was written before them is seen. `seen` only goes ahead: of two who do
 * this at once one may come with an older count.
 */
static inline void hpt_waiter_acknowledge(struct hpt_waiter *w)
{
	uint32_t value = atomic_load_explicit(&w->eventcount.value, memory_order_acquire), seen = atomic_load(&w->seen);

	while (seen - value > HPT_WAITER_RACE && !atomic_compare_exchange_weak(&w->seen, &seen, value))
		;
}

/* Behind a sleep, with its result, which comes back. A deadline has been reached: inline, and a few stores. */
static inline int hpt_waiter_end(struct hpt_waiter *w, int r, int64_t left)
{
	if (r == -ECANCELED)
		hpt_waiter_acknowledge(w);
	atomic_store_explicit(&w->left, left, memory_order_relaxed);
	atomic_store_explicit(&w->is_busy, 0, memory_order_release);
	return r;
}

#endif
