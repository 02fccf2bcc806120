/* SPDX-License-Identifier: MIT */
/* 64-bit LoongArch: the stable counter (LoongArch reference manual, volume 1, section 2.2.10). */
#ifndef HPT_ARCH_LOONGARCH_H
#define HPT_ARCH_LOONGARCH_H

#include <stdint.h>

#define HPT_ARCH_COUNTER  1
#define ARCH_CLOCKSOURCE  "Constant"
#define ARCH_COUNTER_NAME "LoongArch stable counter"
#define ARCH_COUNTER_BITS 64

/* May execute before earlier and after later instructions. */
static inline uint64_t arch_counter(void)
{
	uint64_t v;

	__asm__ volatile("rdtime.d %0, $zero" : "=r"(v) : : "memory");
	return v;
}

/* DBAR 0: a full barrier on both sides. The manual does not name RDTIME among what it orders: not proven. */
static inline uint64_t arch_counter_ordered(void)
{
	uint64_t v;

	__asm__ volatile("dbar 0\n\trdtime.d %0, $zero\n\tdbar 0" : "=r"(v) : : "memory");
	return v;
}

static inline uint32_t arch_cpucfg(uint32_t word)
{
	uint32_t v;

	__asm__ volatile("cpucfg %0, %1" : "=r"(v) : "r"(word));
	return v;
}

/* The crystal's frequency in word 4; times bits 0 to 15 of word 5, divided by its bits 16 to 31. */
static inline uint64_t arch_counter_hz(void)
{
	uint32_t crystal = arch_cpucfg(4), ratio = arch_cpucfg(5), divisor = ratio >> 16;

	return divisor ? (uint64_t)crystal * (ratio & 0xffff) / divisor : 0;
}

static inline void arch_relax(void)
{
	__asm__ volatile("" : : : "memory");
}

#endif
