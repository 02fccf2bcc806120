/* SPDX-License-Identifier: MIT */
/* The verdict on the TSC: pure functions over facts. */
#ifndef HPT_TSC_TRUST_H
#define HPT_TSC_TRUST_H

#include <stdbool.h>
#include <stdint.h>

#include "clock/verdict.h"
#include "machine/clocksource.h"

struct hpt_tsc_facts {
	uint32_t tsc_class;             /* HPT_CPU_ */
	bool     hypervisor;
	enum hpt_kernel_source kernel;  /* what the kernel keeps time with */
	/* Measured only if the facts above speak for the TSC; false until then. */
	bool     interposed;            /* libc's clock does not show the kernel's time */
	bool     expensive;             /* a read costs twice the OS clock's or more */
};

/* Judges the TSC's rate and synchrony. The driver, source/tsc.c, checks presence, order of reads, and permission. */
struct hpt_verdict hpt_tsc_trust(const struct hpt_tsc_facts *facts);

/*
 * True if a TSC read costs less than twice an OS read. Given, both in ticks: the shortest TSC read, and the shortest
 * TSC read together with an OS read. With a factor of two noise cannot decide, and a trapped TSC (1 to 10 us) fails.
 */
bool hpt_tsc_trust_cost(uint64_t tsc_ticks, uint64_t tsc_and_os_ticks);

/*
 * True if libc's clock shows the kernel's time, in ns: given the kernel's own answer, and libc's before and after it.
 * An interposer that shifts or scales time (libfaketime) changes libc's clock alone; no counter follows it.
 */
bool hpt_tsc_trust_libc_clock(int64_t libc_before_ns, int64_t kernel_ns, int64_t libc_after_ns);

#endif
