/* SPDX-License-Identifier: MIT */
/* The default clock, which NULL stands for: the once-only choice of its source, and the first use that fixes it. */
#ifndef HPT_DEFAULT_H
#define HPT_DEFAULT_H

#include "arch/arch.h"
#include "source/own_read.h"
#include "clock/choose.h"

/* No address of a clock has this bit. */
#define HPT_DEFAULT_FIXED ((uintptr_t)1)

/*
 * Threads and signal handlers that can choose at the same time, before the first of them has published: two, as another
 * library's constructor and a signal handler in it. Each is 9 kB. Others wait for them.
 */
#define HPT_BOOT_POOL 2u

/*
 * All zeros, so that it lies in .bss, and one object, so that no linker scatters it: load touches its first page
 * alone (as four variables it took three pages, at 1 us of load each). A read after a long sleep touches that page
 * alone too; there each page not used for a while costs 100 to 400 ns.
 */
extern struct hpt_once {
	_Atomic(struct hpt_clock *) dflt;     /* the default clock; NULL until its first use */
	_Atomic(struct hpt_boot *) booted;    /* the published choice: one of the pool, or reserve */
	_Atomic uint32_t taken;               /* callers that took a slot of the pool, or found none */
	/*
	 * The address of the clock that the program asked for, 0 for the chosen one; with HPT_DEFAULT_FIXED from the
	 * first use on. One word, so that a request and a first use at the same time agree on which came first.
	 */
	_Atomic uintptr_t wanted;
	_Atomic uint32_t order;               /* enum hpt_own_order of its first ticks; NONE until its first use */
	struct hpt_boot pool[HPT_BOOT_POOL];
	struct hpt_boot reserve;              /* the OS clock, for callers that found none */
} hpt_once HIDDEN;

/* The process's choice, made by the first call. Never NULL. Keeps errno. Any thread or signal handler may call it. */
struct hpt_boot *hpt_booted(void);

/* The first use of the default clock: fixes it, and makes the choice if needed. Safe as hpt_booted(). */
struct hpt_clock *hpt_default_fix(void);

/* The default clock, or the one that a use now would fix. Fixes nothing. Safe as hpt_booted(). */
struct hpt_clock *hpt_default_now(void);

/* clk, or the default clock if clk is NULL, which fixes it. */
static inline hpt_clock *hpt_clock_or_default(hpt_clock *clk)
{
	if (likely(clk != NULL))
		return clk;
	clk = atomic_load_explicit(&hpt_once.dflt, memory_order_acquire);
	return likely(clk != NULL) ? clk : hpt_default_fix();
}

/*
 * A tick of clk, read before any cache line of clk is touched: after a long sleep each takes 100 to 400 ns. 0: clk is
 * not the default clock, or its source is not the own counter.
 *
 * An ordered read would wait for the line of hpt_once as well. So where the fence can come before that load it does,
 * and the processor reads the counter while the line is under way: no earlier than what the caller did before, and in
 * vain if the order turns out to be another.
 */
static inline uint64_t hpt_default_first_tick(const hpt_clock *clk)
{
	enum hpt_own_order order;

#ifdef ARCH_FENCE_FIRST
	arch_fence_first();
#endif
	if (unlikely(clk && clk != atomic_load_explicit(&hpt_once.dflt, memory_order_relaxed)))
		return 0;
	order = (enum hpt_own_order)atomic_load_explicit(&hpt_once.order, memory_order_relaxed);
#ifdef ARCH_FENCE_FIRST
	if (likely(order == HPT_OWN_SECOND))
		return hpt_own_read(HPT_OWN_BARE);
#endif
	return hpt_own_read_by(order);
}

#endif
