/* SPDX-License-Identifier: MIT */
/* Products of more than 64 bits for fakes: by the compiler's type, which 32-bit machines lack, or by the library. */
#ifndef HPT_TEST_WIDE_H
#define HPT_TEST_WIDE_H

#include <stdint.h>

#include "math/ratio.h"

/* a * b / den, rounded down, modulo 2^64. b and den are below 2^63; den is not 0. */
static inline uint64_t wide_ratio(uint64_t a, uint64_t b, uint64_t den)
{
#ifdef __SIZEOF_INT128__
	return (uint64_t)((unsigned __int128)a * b / den);
#else
	uint64_t product;

	if (!__builtin_mul_overflow(a, b, &product))
		return product / den;
	return hpt_ratio_floor((struct hpt_wide){ .lo = a }, b, den).lo;
#endif
}

/* The same, rounded towards zero. */
static inline int64_t wide_ratio_signed(int64_t a, uint64_t b, uint64_t den)
{
	uint64_t q = wide_ratio(a < 0 ? 0 - (uint64_t)a : (uint64_t)a, b, den);

	return (int64_t)(a < 0 ? 0 - q : q);
}

/* a * mult / 2^shift, rounded down, modulo 2^64. shift is 1 to 63. */
static inline uint64_t wide_shifted(uint64_t a, uint32_t mult, uint32_t shift)
{
	uint64_t hi, lo = hpt_mul_wide(a, mult, &hi);

	return hi << (64 - shift) | lo >> shift;
}

#endif
