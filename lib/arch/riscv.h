/* SPDX-License-Identifier: MIT */
/* 64-bit RISC-V: the time CSR (Zicntr). */
#ifndef HPT_ARCH_RISCV_H
#define HPT_ARCH_RISCV_H

#include <stdint.h>

#define HPT_ARCH_COUNTER  1
#define ARCH_CLOCKSOURCE  "riscv_clocksource"
#define ARCH_COUNTER_NAME "RISC-V time"
#define ARCH_COUNTER_BITS 64

/* May execute before earlier and after later instructions. */
static inline uint64_t arch_counter(void)
{
	uint64_t v;

	__asm__ volatile("rdtime %0" : "=r"(v) : : "memory");
	return v;
}

/* A CSR read counts as device input for FENCE (Zicsr): after earlier loads, and before later loads and stores. */
static inline uint64_t arch_counter_ordered(void)
{
	uint64_t v;

	__asm__ volatile("fence r, i\n\trdtime %0\n\tfence i, rw" : "=r"(v) : : "memory");
	return v;
}

/* No register has it: hpt_counter_hz() in lib/machine/counter_hz.h. */
static inline uint64_t arch_counter_hz(void)
{
	return 0;
}

/* PAUSE (Zihintpause), as a word for assemblers that lack it. Other processors execute a FENCE that orders nothing. */
static inline void arch_relax(void)
{
	__asm__ volatile(".4byte 0x0100000f" : : : "memory");
}

#endif
