/* SPDX-License-Identifier: MIT */
/* x86 primitives: one instruction sequence per function, nothing else. */
#ifndef HPT_ARCH_X86_H
#define HPT_ARCH_X86_H

#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>

#define HPT_ARCH_X86 1
#define ARCH_VMCLOCK_COUNTER 1

/* May execute before earlier and after later instructions. */
static inline void arch_rdtsc_halves(uint32_t *ret_lo, uint32_t *ret_hi)
{
	uint32_t lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	*ret_lo = lo;
	*ret_hi = hi;
}

static inline uint64_t arch_rdtsc(void)
{
	uint32_t lo, hi;

	arch_rdtsc_halves(&lo, &hi);
	return (uint64_t)hi << 32 | lo;
}

/*
 * Waits until all earlier instructions have executed and all earlier loads are visible (Intel SDM vol. 2B, RDTSCP); the
 * kernel's rdtsc_ordered() relies on the same.
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
 * RDTSCP, and ECX: Linux keeps the CPU number in its low 12 bits and the NUMA node above them. An emulation that leaves
 * ECX as it was (rr) returns UINT32_MAX there.
 */
static inline uint64_t arch_rdtscp_aux(uint32_t *ret_aux)
{
	uint32_t lo, hi, aux = UINT32_MAX;

	__asm__ volatile("rdtscp" : "=a"(lo), "=d"(hi), "+c"(aux) : : "memory");
	*ret_aux = aux;
	return (uint64_t)hi << 32 | lo;
}

/*
 * The same order: LFENCE waits for all earlier instructions, and no later one starts before it is done (Intel SDM
 * vol. 2A, LFENCE). Needs SSE2. Which other CPUs keep that order is in lib/machine/cpu.c.
 */
static inline void arch_lfence_rdtsc_halves(uint32_t *ret_lo, uint32_t *ret_hi)
{
	uint32_t lo, hi;

	__asm__ volatile("lfence\n\trdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	*ret_lo = lo;
	*ret_hi = hi;
}

static inline uint64_t arch_lfence_rdtsc(void)
{
	uint32_t lo, hi;

	arch_lfence_rdtsc_halves(&lo, &hi);
	return (uint64_t)hi << 32 | lo;
}

/* Later loads are executed after a read of the counter, which no barrier for memory alone orders. Needs SSE2. */
#define ARCH_FENCE_LOADS
static inline void arch_fence_loads(void)
{
	__asm__ volatile("lfence" : : : "memory");
}

/*
 * The second ordered read may be taken apart: this fence, whatever the caller needs, and the bare read, which then does
 * not wait for that.
 */
#ifdef __x86_64__ /* each has SSE2 */
#define ARCH_FENCE_FIRST
static inline void arch_fence_first(void)
{
	__asm__ volatile("lfence" : : : "memory");
}
#endif

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

/*
 * Waits in user mode until a cache line is written or the TSC reaches `until` (Intel SDM vol. 2B, UMONITOR and UMWAIT;
 * bit 5 of CPUID 7 ECX). Uses state C0.1, which has a shorter exit latency than C0.2.
 */
static inline void arch_umonitor(const volatile void *line)
{
	__asm__ volatile("umonitor %0" : : "r"(line) : "memory");
}

static inline void arch_umwait(uint64_t until)
{
	__asm__ volatile("umwait %%ecx" : : "c"(1), "a"((uint32_t)until), "d"((uint32_t)(until >> 32))
			 : "cc", "memory");
}

/*
 * AMD's counterpart (APM vol. 3, MONITORX and MWAITX; bit 29 of CPUID 80000001h ECX). It waits for a number of TSC
 * ticks, which is in EBX (ECX bit 1). EAX F0h: stay in C0, as Linux's delay_halt_mwaitx() does.
 */
static inline void arch_monitorx(const volatile void *line)
{
	__asm__ volatile("monitorx" : : "a"(line), "c"(0), "d"(0) : "memory");
}

static inline void arch_mwaitx(uint32_t ticks)
{
	__asm__ volatile("mwaitx" : : "a"(0xf0), "b"(ticks), "c"(2) : "memory");
}

#endif
