/* SPDX-License-Identifier: MIT */
/* The default clock, which NULL stands for, and the once-only choice of its source. */
#ifndef HPT_DEFAULT_H
#define HPT_DEFAULT_H

#include "arch/arch.h"
#include "clock/choose.h"

/* Threads and signal handlers that can choose at the same time, before the first of them has published. */
#define HPT_BOOT_POOL 8u

/*
 * All zeros, so that it lies in .bss, and one object, so that no linker scatters it: load touches its first page
 * alone (as four variables it took three pages, at 1 us of load each). A read after a long sleep touches that page
 * alone too; there each page not used for a while costs 100 to 400 ns.
 */
extern struct hpt_once {
	_Atomic(struct hpt_clock *) dflt;     /* the default clock; NULL until the library has chosen */
	_Atomic(struct hpt_boot *) booted;    /* the published choice: one of the pool, or reserve */
	_Atomic uint32_t taken;               /* callers that took a slot of the pool, or found none */
	struct hpt_boot pool[HPT_BOOT_POOL];
	struct hpt_boot reserve;              /* the OS clock, for callers that found none */
} hpt_once HIDDEN;

/* The process's choice, made by the first call. Never NULL. Keeps errno. Any thread or signal handler may call it. */
struct hpt_boot *hpt_booted(void);

/* The default clock where hpt_once.dflt is still NULL: makes the choice if needed. Safe as hpt_booted(). */
struct hpt_clock *hpt_default_boot(void);

/* clk, or the default clock if clk is NULL. */
static inline hpt_clock *hpt_clock_or_default(hpt_clock *clk)
{
	if (likely(clk != NULL))
		return clk;
	clk = atomic_load_explicit(&hpt_once.dflt, memory_order_acquire);
	return likely(clk != NULL) ? clk : hpt_default_boot();
}

#endif
