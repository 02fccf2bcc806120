/* SPDX-License-Identifier: MIT */
/* What a spinning thread does between two reads while the deadline is far: PAUSE, or what the processor has for it. */
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

/* What CPUID offers. */
enum hpt_relax hpt_relax_choose(hpt_cpuid_fn *cpuid, void *ctx);

/* Of this processor, once somebody with time has asked it. */
void hpt_relax_ask(void);
enum hpt_relax hpt_relax_kind(void);

/*
 * Until *word is no longer value, or until the TSC says `until`, or sooner: after some ten microseconds, and
 * anything may end it. now is a TSC of just now. kind is UMWAIT or MWAITX.
 */
void hpt_relax_until(enum hpt_relax kind, const _Atomic uint32_t *word, uint32_t value, uint64_t now, uint64_t until);

#endif
