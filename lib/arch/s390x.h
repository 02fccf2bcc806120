/* SPDX-License-Identifier: MIT */
/* s390x: the TOD clock (z/Architecture Principles of Operation, chapter 4). */
#ifndef HPT_ARCH_S390X_H
#define HPT_ARCH_S390X_H

#include <stdint.h>

#define HPT_ARCH_COUNTER  1
#define ARCH_CLOCKSOURCE  "tod"
#define ARCH_COUNTER_NAME "s390 TOD"
#define ARCH_COUNTER_BITS 64

/*
 * The TOD clock at 1970-01-01. Counted from its own zero, the year 1900, ticks are negative as int64_t; counted from
 * 1970 they are positive until 2041.
 */
#define ARCH_TOD_1970 UINT64_C(0x7d91048bca000000)

/* STORE CLOCK FAST: may execute before earlier and after later instructions. */
static inline uint64_t arch_counter(void)
{
	uint64_t v;

	__asm__ volatile("stckf %0" : "=Q"(v) : : "memory", "cc");
	return v - ARCH_TOD_1970;
}

/* STORE CLOCK EXTENDED serialises before and after. Bytes 1 to 8 of what it stores are the 64 bits of STCKF. */
static inline uint64_t arch_counter_ordered(void)
{
	struct {
		uint8_t bytes[16];
	} extended;
	uint64_t v;

	__asm__ volatile("stcke %0" : "=Q"(extended) : : "memory", "cc");
	__builtin_memcpy(&v, extended.bytes + 1, sizeof(v));
	return v - ARCH_TOD_1970;
}

/* By definition: bit 51 counts microseconds. */
static inline uint64_t arch_counter_hz(void)
{
	return UINT64_C(4096000000);
}

static inline void arch_relax(void)
{
	__asm__ volatile("" : : : "memory");
}

#endif
