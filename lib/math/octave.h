/* SPDX-License-Identifier: MIT */
/* Bins of histograms over many magnitudes: eight per octave, as HdrHistogram's; below 16 one for each number. Pure. */
#ifndef HPT_OCTAVE_H
#define HPT_OCTAVE_H

#include <stdint.h>

/* The bin of a number. */
static inline uint32_t hpt_octave_bin(uint64_t x)
{
	uint32_t octave;

	if (x < 8)
		return (uint32_t)x;
	octave = 63 - (uint32_t)__builtin_clzll(x);
	return (octave - 2) * 8 + ((uint32_t)(x >> (octave - 3)) & 7);
}

/* The least number above a bin; valid below bin 487, which ends at 2^63. */
static inline int64_t hpt_octave_edge(uint32_t bin)
{
	return (int64_t)(bin < 8 ? bin + 1 : (uint64_t)(8 + bin % 8 + 1) << (bin / 8 - 1));
}

/*
 * Where a number of at least 128 is on the scale of the bins, in sixteenths of a bin: 128 more are twice as much. And
 * the least number there, for places up to 7000. Between powers of two the scale is linear.
 */
#define HPT_OCTAVE_PLACES 16

static inline uint32_t hpt_octave_place(uint64_t x)
{
	uint32_t octave = 63 - (uint32_t)__builtin_clzll(x);

	return (octave - 2) * 128 + ((uint32_t)(x >> (octave - 7)) & 127);
}

static inline int64_t hpt_octave_at(uint32_t place)
{
	return (int64_t)((uint64_t)(128 + place % 128) << (place / 128 - 5));
}

#endif
