/* SPDX-License-Identifier: MIT */
/* The read of a 64-bit counter by 32-bit loads. */
#ifndef HPT_HI_LO_HI_H
#define HPT_HI_LO_HI_H

#include <stdint.h>

#include "arch/arch.h"

/*
 * The low word of any counter carries every 0.4 s or later: two carries during one read mean that the words
 * are not those of a counter.
 */
#define HPT_HI_LO_HI_TRIES 4

/* low points to the low word, which the high word follows. All arithmetic is unsigned. */
static inline uint64_t hpt_hi_lo_hi(const volatile uint32_t *low)
{
	uint32_t hi = low[1];

	for (int tries = 0; tries < HPT_HI_LO_HI_TRIES; tries++) {
		uint32_t lo = low[0];
		uint32_t again = low[1];

		if (likely(again == hi))
			return (uint64_t)hi << 32 | lo;
		hi = again;
	}
	return (uint64_t)hi << 32; /* the counter's value at the last carry, which fell within this call */
}

#endif
