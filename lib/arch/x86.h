/* SPDX-License-Identifier: MIT */
/* x86 primitives: one instruction sequence a function, nothing else. */
#ifndef HPT_ARCH_X86_H
#define HPT_ARCH_X86_H

#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>

#define HPT_ARCH_X86 1

/* May execute before earlier and after later instructions. */
static inline uint64_t arch_rdtsc(void)
{
	uint32_t lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

/*
 * Waits until all earlier instructions have executed and all earlier loads are visible (Intel
 * SDM vol. 2B, RDTSCP); the kernel's rdtsc_ordered() relies on the same. ECX (the CPU number) is
 * not used: under rr it keeps its old value.
 */
static inline void arch_rdtscp_halves(uint32_t *ret_lo, uint32_t *ret_hi)
{
	uint32_t lo, hi, aux;

	__asm__ volatile("rdtscp" : "=a"(lo), "=d"(hi), "=c"(aux) : : "memory");
	*ret_lo = lo;
	*ret_hi = hi;
}

static inline uint64_t arch_rdtscp(void)
{
	uint32_t lo, hi;

	arch_rdtscp_halves(&lo, &hi);
	return (uint64_t)hi << 32 | lo;
}

/*
 * The same order where RDTSCP is missing: LFENCE waits for all earlier loads and lets nothing
 * later start (Intel SDM vol. 2A, LFENCE; AMD: Linux sets DE_CFG so that it does). Needs SSE2.
 */
static inline uint64_t arch_lfence_rdtsc(void)
{
	uint32_t lo, hi;

	__asm__ volatile("lfence\n\trdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

static inline void arch_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	/* __get_cpuid_max() also finds the 32-bit CPUs that lack the instruction. */
	if (!__get_cpuid_max(0, NULL)) {
		regs[0] = regs[1] = regs[2] = regs[3] = 0;
		return;
	}
	__cpuid_count(leaf, subleaf, regs[0], regs[1], regs[2], regs[3]);
}

static inline void arch_relax(void)
{
	__asm__ volatile("pause" : : : "memory");
}

#endif
