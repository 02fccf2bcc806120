/* SPDX-License-Identifier: MIT */
/* The counter of an architecture that does not exist: the header that lib/arch/arch.h includes in its place. */
#ifndef HPT_TEST_FAKE_COUNTER_H
#define HPT_TEST_FAKE_COUNTER_H

#include <stdint.h>

#define HPT_ARCH_COUNTER  1
#define ARCH_CLOCKSOURCE  "fake_counter"
#define ARCH_COUNTER_NAME "fake counter"
#define ARCH_COUNTER_BITS 60
#define ARCH_VMCLOCK_COUNTER 0

/* Bits that no machine that runs the tests has, so that the library's own load leaves the counter alone. */
#define ARCH_COUNTER_HWCAP         (UINT64_C(1) << 62)
#define ARCH_COUNTER_SYNCED_HWCAP2 (UINT64_C(1) << 61)

/* Reads of the fake world's counter (fake_source.h), counted by the instruction. */
struct fake_counter {
	uint32_t bare, ordered, synced, hz_reads;
	uint64_t hz; /* by a register; 0: not stated */
	void (*at_fence)(void);
};

extern struct fake_counter fake_counter;

uint64_t fake_counter_read(void);

static inline uint64_t arch_counter(void)
{
	fake_counter.bare++;
	return fake_counter_read();
}

static inline uint64_t arch_counter_ordered(void)
{
	fake_counter.ordered++;
	return fake_counter_read();
}

static inline uint64_t arch_counter_synced(void)
{
	fake_counter.synced++;
	return fake_counter_read();
}

static inline uint64_t arch_counter_hz(void)
{
	fake_counter.hz_reads++;
	return fake_counter.hz;
}

/* A test may write to memory here, as another processor does. */
#define ARCH_FENCE_LOADS
static inline void arch_fence_loads(void)
{
	__asm__ volatile("" : : : "memory");
	if (fake_counter.at_fence)
		fake_counter.at_fence();
}

static inline void arch_relax(void)
{
	__asm__ volatile("" : : : "memory");
}

#endif
