/* SPDX-License-Identifier: MIT */
/* 32-bit Arm: the virtual counter of the generic timer, which ARMv7-A processors may have (A7, A15; not A8, A9). */
#ifndef HPT_ARCH_ARM_H
#define HPT_ARCH_ARM_H

#include <stdint.h>

#if __ARM_ARCH >= 7 && __ARM_ARCH_PROFILE == 'A'

#define HPT_ARCH_COUNTER  1
#define ARCH_CLOCKSOURCE  "arch_sys_counter"
#define ARCH_COUNTER_NAME "Arm generic timer"
#define ARCH_COUNTER_BITS 56 /* at least */
#define ARCH_VMCLOCK_COUNTER 0

/*
 * HWCAP_EVTSTRM. The kernel sets it where it drives the generic timer, and it then lets programs read the counter.
 * Elsewhere these instructions may raise SIGILL: without this bit they are not executed.
 */
#define ARCH_COUNTER_HWCAP (UINT64_C(1) << 21)

/* May execute before earlier and after later instructions. */
static inline uint64_t arch_counter(void)
{
	uint64_t v;

	__asm__ volatile("mrrc p15, 1, %Q0, %R0, c14" : "=r"(v) : : "memory");
	return v;
}

/*
 * ISB: the counter is read after all earlier instructions. The load's address depends on the counter's value, so that
 * memory barriers order the read as they order loads.
 */
static inline uint64_t arch_counter_ordered(void)
{
	uint64_t v;
	uint32_t depends;

	__asm__ volatile("isb\n\tmrrc p15, 1, %Q0, %R0, c14\n\teor %1, %Q0, %Q0\n\tldr %1, [sp, %1]"
			 : "=&r"(v), "=&r"(depends) : : "memory");
	return v;
}

/* Firmware sets CNTFRQ; a device tree may override it. */
static inline uint64_t arch_counter_hz(void)
{
	uint32_t v;

	__asm__ volatile("mrc p15, 0, %0, c14, c0, 0" : "=r"(v));
	return v;
}

static inline void arch_relax(void)
{
	__asm__ volatile("yield" : : : "memory");
}

#else

static inline void arch_relax(void)
{
	__asm__ volatile("" : : : "memory");
}

#endif

#endif
