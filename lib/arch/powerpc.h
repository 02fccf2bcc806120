/* SPDX-License-Identifier: MIT */
/* 64-bit PowerPC: the time base (Power ISA, book II, chapter 6). */
#ifndef HPT_ARCH_POWERPC_H
#define HPT_ARCH_POWERPC_H

#include <stdint.h>

#define HPT_ARCH_COUNTER  1
#define ARCH_CLOCKSOURCE  "timebase"
#define ARCH_COUNTER_NAME "PowerPC time base"
#define ARCH_COUNTER_BITS 64

/* May execute before earlier and after later instructions. */
static inline uint64_t arch_counter(void)
{
	uint64_t v;

	__asm__ volatile("mfspr %0, 268" : "=r"(v) : : "memory");
	return v;
}

/*
 * ISYNC: the counter is read after all earlier instructions. The trap, which never happens, needs the counter's value,
 * and the second ISYNC waits for the trap: later instructions execute after that. The kernel's in_be64() does the same.
 */
static inline uint64_t arch_counter_ordered(void)
{
	uint64_t v;

	__asm__ volatile("isync\n\tmfspr %0, 268\n\ttwi 0, %0, 0\n\tisync" : "=r"(v) : : "memory");
	return v;
}

/* No register has it: hpt_counter_hz() in lib/machine/counter_hz.h. */
static inline uint64_t arch_counter_hz(void)
{
	return 0;
}

/* Low thread priority, then medium again, as the kernel's cpu_relax(). */
static inline void arch_relax(void)
{
	__asm__ volatile("or 1, 1, 1\n\tor 2, 2, 2" : : : "memory");
}

#endif
