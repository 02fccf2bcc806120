/* SPDX-License-Identifier: MIT */
/* 64-bit Arm: the virtual counter of the generic timer (Arm ARM, D12). */
#ifndef HPT_ARCH_AARCH64_H
#define HPT_ARCH_AARCH64_H

#include <stdint.h>

#define HPT_ARCH_COUNTER  1
#define ARCH_CLOCKSOURCE  "arch_sys_counter"
#define ARCH_COUNTER_NAME "Arm generic timer"
#define ARCH_COUNTER_BITS 56 /* at least; 64 from Armv8.6 on */
#define ARCH_VMCLOCK_COUNTER 0

/* May execute before earlier and after later instructions. */
static inline uint64_t arch_counter(void)
{
	uint64_t v;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(v) : : "memory");
	return v;
}

/*
 * A load whose address depends on the counter's value, so that memory barriers and acquiring loads order the read as
 * they order loads. The kernel's arch_counter_enforce_ordering() does the same.
 */
#define ARCH_COUNTER_AS_LOAD "\n\teor %1, %0, %0\n\tadd %1, sp, %1\n\tldr xzr, [%1]"

/* ISB: the counter is read after all earlier instructions. */
static inline uint64_t arch_counter_ordered(void)
{
	uint64_t v, depends;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" ARCH_COUNTER_AS_LOAD : "=&r"(v), "=&r"(depends) : : "memory");
	return v;
}

/* The same order without ISB: CNTVCTSS_EL0, where AT_HWCAP2 has HWCAP2_ECV. */
#define ARCH_COUNTER_SYNCED_HWCAP2 (UINT64_C(1) << 19)

static inline uint64_t arch_counter_synced(void)
{
	uint64_t v, depends;

	__asm__ volatile("mrs %0, s3_3_c14_c0_6" ARCH_COUNTER_AS_LOAD : "=&r"(v), "=&r"(depends) : : "memory");
	return v;
}

/* Firmware sets CNTFRQ; a device tree may override it. */
static inline uint64_t arch_counter_hz(void)
{
	uint64_t v;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(v));
	return v;
}

/* YIELD does nothing on most of these processors. ISB waits for the pipeline: some ten nanoseconds. */
static inline void arch_relax(void)
{
	__asm__ volatile("isb" : : : "memory");
}

#endif
