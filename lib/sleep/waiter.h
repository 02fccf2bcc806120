/* SPDX-License-Identifier: MIT */
/* A waiter: a sleeper that can be interrupted. A ticker contains one. */
#ifndef HPT_WAITER_H
#define HPT_WAITER_H

#include <errno.h>
#include <stddef.h>

#include "arch/arch.h"
#include "machine/process.h"
#include "sleep/own_fd.h"
#include "sleep/sleep.h"

struct hpt_waiter {
	struct hpt_eventcount eventcount; /* counts interrupts; only they change its value */

	/* Read by sleeps and interrupts, seldom written. */
	struct hpt_clock *clk;
	struct hpt_object_policy policy;
	uint32_t flags;                   /* HPT_WAIT_ */
	struct hpt_own_fd own;            /* readable on an interrupt; of a ticker also before its ticks */

	/* Written as sleeps begin and return. An interrupt that also used this cache line ended spins 150 ns later. */
	_Alignas(64) _Atomic uint32_t seen; /* interrupts acknowledged; if fewer, one is pending */
	_Atomic uint32_t sleeper;         /* the process of the thread that sleeps on it; 0: none does */
	_Atomic bool is_long;             /* the latest wait of the program's own that asked for a margin */
	_Atomic int64_t left;             /* ticks left of the latest sleep; INT64_MAX: it had no deadline */
};

/* Allocates size bytes of zeros, aligned to a cache line, for free(). NULL if there is no memory. Keeps errno. */
void *hpt_object_new(size_t size);

/*
 * Claims the waiter until hpt_waiter_release(). A claim of the process that this one was forked from does not count:
 * its thread is not here, and is no more in the eventcount's number of sleepers. 0; -EBUSY: another thread has claimed
 * it.
 */
static inline int hpt_waiter_claim(struct hpt_waiter *w)
{
	uint32_t process = hpt_process(), owner = 0;

	while (!atomic_compare_exchange_strong(&w->sleeper, &owner, process))
		if (owner == process)
			return -EBUSY;
	if (unlikely(owner)) /* and its bell's number would add up to one that there is not */
		hpt_eventcount_add_sleepers(&w->eventcount, -hpt_eventcount_sleepers(&w->eventcount));
	return 0;
}

/* The next claim sees all that was written before. */
static inline void hpt_waiter_release(struct hpt_waiter *w)
{
	atomic_store_explicit(&w->sleeper, 0, memory_order_release);
}

/*
 * Claims the waiter until hpt_waiter_end() and fills in *ret, the sleeper to sleep with. exit: the public function's
 * return address. 0; -EINVAL: w is NULL; -EBUSY: another thread sleeps on it.
 */
int hpt_waiter_begin(struct hpt_waiter *w, const void *exit, struct hpt_sleeper *ret);

/*
 * The most interrupts that arrive while another thread acknowledges earlier ones. seen - value wraps: `seen`
 * ahead by up to this means that another thread acknowledged more.
 */
#define HPT_WAITER_RACE 65536u

/*
 * Acknowledges all interrupts so far; what was written before them is visible after. `seen` only advances: of two
 * threads that do this at once, one may come with an older count. Callable from signal handlers.
 */
static inline void hpt_waiter_acknowledge(struct hpt_waiter *w)
{
	uint32_t value = hpt_eventcount_value(&w->eventcount), seen = atomic_load(&w->seen);

	while (seen - value > HPT_WAITER_RACE && !atomic_compare_exchange_weak(&w->seen, &seen, value))
		;
}

/* Counts an interrupt, and ends the sleep of the waiter, which may then be gone. Its descriptor is the caller's. */
void hpt_waiter_notify(struct hpt_waiter *w);

/* Acknowledges, and makes the waiter's descriptor, if there is one, unreadable unless another interrupt has begun. */
void hpt_waiter_take_interrupt(struct hpt_waiter *w);

/* Ends what hpt_waiter_begin() began. */
static inline void hpt_waiter_leave(struct hpt_waiter *w, int64_t left)
{
	atomic_store_explicit(&w->left, left > 0 ? left : 0, memory_order_relaxed);
	hpt_waiter_release(w);
}

/* Call after a sleep; returns its result r. Runs between the deadline and the program: inline, with few stores. */
static inline int hpt_waiter_end(struct hpt_waiter *w, int r, int64_t left)
{
	if (r == -ECANCELED)
		hpt_waiter_take_interrupt(w);
	hpt_waiter_leave(w, r < 0 ? left : 0);
	return r;
}

#endif
