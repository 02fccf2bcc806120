/* SPDX-License-Identifier: MIT */
/* The verdict on the source "arch": a pure function over facts. */
#ifndef HPT_ARCH_TRUST_H
#define HPT_ARCH_TRUST_H

#include "clock/verdict.h"
#include "machine/clocksource.h"

struct hpt_arch_facts {
	enum hpt_kernel_source kernel; /* what the kernel keeps time with */
	/* Measured only if the kernel keeps time with this counter. */
	bool     interposed;           /* libc's clock does not show the kernel's time */
	/* Ticks that pass during n reads of the counter, 2 n of the OS clock by libc, and n by raw system call. */
	uint64_t own_ticks, twice_os_ticks, raw_ticks;
};

/*
 * Trusts the counter if the kernel keeps time with it and lets programs read it: clock_gettime() then costs less than
 * half its system call. The kernel does so only where the counter runs alike on all CPUs and has no erratum; where it
 * has one the kernel may also trap the instruction, so a read must cost less than two of the OS clock.
 */
struct hpt_verdict hpt_arch_trust(const struct hpt_arch_facts *facts);

#endif
