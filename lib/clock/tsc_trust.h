/* SPDX-License-Identifier: MIT */
/* Whether to let the TSC keep time: a pure function over facts. */
#ifndef HPT_TSC_TRUST_H
#define HPT_TSC_TRUST_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/env.h"

struct hpt_tsc_facts {
	uint32_t tsc_class;             /* HPT_CPU_ */
	bool     hypervisor;
	enum hpt_kernel_source kernel;
	/* Measured, and only where all above is in order: false until then. */
	bool     interposed;
	bool     expensive;
};

/* The verdict; reason is an HPT_REASON_ either way. */
struct hpt_verdict {
	bool     trusted;
	uint32_t reason;
};

/* Trusts the counter's rate and synchrony? Presence, order and permission are the driver's matter. */
struct hpt_verdict hpt_tsc_trust(const struct hpt_tsc_facts *facts);

/*
 * Is a TSC read cheap enough to be worth it, given medians in the same ticks of one TSC read and of
 * one TSC read plus one OS read? Below twice the OS clock's cost: noise cannot decide, a
 * trapped TSC (1 to 10 us) does not pass.
 */
bool hpt_tsc_trust_cost(uint64_t tsc_ticks, uint64_t tsc_and_os_ticks);

/*
 * Does libc's clock tell the kernel's time, given the kernel's own answer and libc's before and after it? No
 * counter follows an interposer that shifts or scales time (libfaketime): only libc's clock does.
 */
bool hpt_tsc_trust_libc_clock(int64_t libc_before_ns, int64_t kernel_ns, int64_t libc_after_ns);

#endif
