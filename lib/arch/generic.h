/* SPDX-License-Identifier: MIT */
/* Architectures without primitives of their own: no counter, no CPUID. */
#ifndef HPT_ARCH_GENERIC_H
#define HPT_ARCH_GENERIC_H

static inline void arch_relax(void)
{
	__asm__ volatile("" : : : "memory");
}

#endif
