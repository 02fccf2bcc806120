/* SPDX-License-Identifier: MIT */
/* Exact fixed-point multiplication between ticks and nanoseconds: pure arithmetic. */
#ifndef HPT_SCALE_H
#define HPT_SCALE_H

#include <stdint.h>

/*
 * A factor as whole + frac / 2^64. One multiplication suffices for a counter faster than 1 GHz
 * (whole is 0) and the same code serves slower ones: the second product does not wait for the
 * first. Over 2^63 ticks the rounding of frac is worth at most a quarter of a nanosecond.
 */
struct hpt_scale {
	uint64_t whole;
	uint64_t frac;
};

/* 64 x 64 -> 128 bits; returns the low half. */
static inline uint64_t hpt_mul_wide(uint64_t a, uint64_t b, uint64_t *ret_hi)
{
#if defined(__SIZEOF_INT128__) && !defined(HPT_WITHOUT_INT128)
	unsigned __int128 p = (unsigned __int128)a * b;

	*ret_hi = (uint64_t)(p >> 64);
	return (uint64_t)p;
#else
	uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
	uint64_t ll = al * bl, lh = al * bh, hl = ah * bl;
	uint64_t mid = (ll >> 32) + (uint32_t)lh + (uint32_t)hl;

	*ret_hi = ah * bh + (lh >> 32) + (hl >> 32) + (mid >> 32);
	return mid << 32 | (uint32_t)ll;
#endif
}

/* x times the factor, rounded down, modulo 2^64: the read path's form. */
static inline uint64_t hpt_scale_floor(uint64_t x, uint64_t whole, uint64_t frac)
{
	uint64_t hi;

	(void)hpt_mul_wide(x, frac, &hi);
	return x * whole + hi;
}

/* num / den as a factor, frac rounded to nearest. den must not be 0. */
struct hpt_scale hpt_scale_of(uint64_t num, uint64_t den);

/* x times the factor, rounded to nearest (halves away from zero); saturates at the int64 range. */
int64_t hpt_scale_round(int64_t x, struct hpt_scale s);

#endif
