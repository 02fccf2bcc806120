/* SPDX-License-Identifier: MIT */
/* How a spinning thread relaxes between two reads while the deadline is far: PAUSE, or a wait at less power. */
#ifndef HPT_RELAX_H
#define HPT_RELAX_H

#include <stdatomic.h>
#include <stdint.h>

#include "machine/cpu.h"

enum hpt_relax {
	HPT_RELAX_UNKNOWN,
	HPT_RELAX_PAUSE,
	HPT_RELAX_UMWAIT,
	HPT_RELAX_MWAITX,
};

/* The best kind that CPUID offers: pure but for cpuid(). */
enum hpt_relax hpt_relax_choose(hpt_cpuid_fn *cpuid, void *ctx);

/* Asks this processor, once in a process; later calls cost one load. Call where 100 us do no harm. */
void hpt_relax_ask(void);

/* This processor's kind; UNKNOWN before hpt_relax_ask(). */
enum hpt_relax hpt_relax_kind(void);

/*
 * Waits until *word differs from value, or until the TSC reads `until`, and at most some tens of microseconds; anything
 * may end it sooner. now is a TSC read just taken; kind is UMWAIT or MWAITX.
 */
void hpt_relax_until(enum hpt_relax kind, const _Atomic uint32_t *word, uint32_t value, uint64_t now, uint64_t until);

#endif
