/* SPDX-License-Identifier: MIT */
/* The default clock: what NULL means, and the guard that chooses its source once in a process. */
#ifndef HPT_DEFAULT_H
#define HPT_DEFAULT_H

#include "arch/arch.h"
#include "clock/choose.h"

/* Threads and signal handlers that may choose at the same time, before the first of them is done. */
#define HPT_BOOT_POOL 8u

/*
 * All zeros, so that it lies in .bss, and one object, so that no linker spreads it: load touches the first page alone (as
 * four variables it took three pages, 1 us of load each). So does a read after a long sleep, when each page that was not
 * used for a while costs 100 to 400 ns.
 */
extern struct hpt_once {
	_Atomic(struct hpt_clock *) dflt;     /* the default clock; NULL until the library has chosen */
	_Atomic(struct hpt_boot *) booted;
	_Atomic uint32_t taken;               /* slots of the pool */
	struct hpt_boot pool[HPT_BOOT_POOL];
	struct hpt_boot reserve;
} hpt_once HIDDEN;

/* The process's choice; makes it if nobody has yet. Callable from anywhere at any time, also from signal handlers. */
struct hpt_boot *hpt_booted(void);

/* The default clock, where hpt_once does not have it yet. */
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
