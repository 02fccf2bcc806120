/* SPDX-License-Identifier: MIT */
/* The choice made at load, and the guard that makes it once. */
#ifndef HPT_INIT_H
#define HPT_INIT_H

#include "clock/clock.h"
#include "clock/select.h"
#include "clock/source_status.h"
#include "clock/tsc_trust.h"

/* What load left behind: the chosen clock and what was asked for. */
struct hpt_boot {
	uint32_t requested;             /* HPT_SOURCE_ from the environment; AUTO if none or unknown */
	uint32_t flags;                 /* HPT_CLOCK_ENV_ */
	char     env_source[24];
	char     kernel_clocksource[32];
	struct hpt_source_status status[HPT_SOURCE_IDS];
	struct hpt_clock clk;
};

/* Gathers facts, opens what is needed, chooses, and keeps the winner. Cannot fail: OS is always there. */
void hpt_boot(struct hpt_boot *ret, const struct hpt_env *env);

/* The same without any choice. May run twice at once for the same boot: both write the same. */
void hpt_boot_on_os(struct hpt_boot *ret, const struct hpt_env *env);

/* So many threads and signal handlers may be choosing at once before the first of them is done ... */
#define HPT_BOOT_POOL 8u

/*
 * Zeros all, so that they lie in .bss, and one object, so that no linker parts them: load touches its head alone, one
 * page (as four variables they lay in three, 1 us of load each), and so does a read after a long sleep, when each page
 * that was not used for a while costs 100 to 400 ns.
 */
extern struct hpt_once {
	_Atomic(struct hpt_clock *) dflt;     /* the default clock; NULL until the library has chosen */
	_Atomic(struct hpt_boot *) booted;
	_Atomic uint32_t taken;               /* places of the pool */
	struct hpt_boot pool[HPT_BOOT_POOL];
	struct hpt_boot reserve;
} hpt_once HIDDEN;

/* What the process was booted with; boots it if nobody has yet. Usable anywhere, any time. */
struct hpt_boot *hpt_booted(void);

/* clock.c: makes this clock the default unless one has been set. */
void hpt_clock_first_default(struct hpt_clock *clk);

/*
 * The verdict on the clock's open source. A TSC that passes so far gets its cost measured and its anchor taken.
 */
struct hpt_verdict hpt_judge(struct hpt_clock *clk, char *ret_kernel, size_t kernel_size);

#endif
