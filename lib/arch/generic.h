/* SPDX-License-Identifier: MIT */
/* What every architecture has: no counter of its own, no CPUID. */
#ifndef HPT_ARCH_GENERIC_H
#define HPT_ARCH_GENERIC_H

static inline void arch_relax(void)
{
	__asm__ volatile("" : : : "memory");
}

#endif
