/* SPDX-License-Identifier: MIT */
/* Exact fixed-point multiplication and division between ticks and nanoseconds. Pure arithmetic. */
#ifndef HPT_SCALE_H
#define HPT_SCALE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A factor as whole + frac / 2^64: the mult and shift of a Linux clocksource, with shift 64. One multiplication
 * suffices for a counter faster than 1 GHz (whole is 0). The same code serves slower counters: the second product
 * does not wait for the first. Over 2^63 ticks the rounding of frac causes an error of at most a quarter of a
 * nanosecond.
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

/* x times the factor, rounded down, modulo 2^64: the form for the read path. */
static inline uint64_t hpt_scale_floor(uint64_t x, uint64_t whole, uint64_t frac)
{
	uint64_t hi;

	(void)hpt_mul_wide(x, frac, &hi);
	return x * whole + hi;
}

/* The sum, clamped to the range of int64. */
static inline int64_t hpt_sum(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

/*
 * 128 bits, two's complement: for nanoseconds of a slow counter, and for intermediate sums, so that only the result
 * needs a check of its range.
 */
struct hpt_wide {
	uint64_t hi, lo;
};

static inline bool hpt_wide_is_negative(struct hpt_wide x)
{
	return x.hi >> 63;
}

static inline struct hpt_wide hpt_wide_of(int64_t x)
{
	return (struct hpt_wide){ x < 0 ? UINT64_MAX : 0, (uint64_t)x };
}

static inline struct hpt_wide hpt_wide_add(struct hpt_wide a, struct hpt_wide b)
{
	uint64_t lo = a.lo + b.lo;

	return (struct hpt_wide){ a.hi + b.hi + (lo < a.lo), lo };
}

static inline struct hpt_wide hpt_wide_negate(struct hpt_wide x)
{
	return hpt_wide_add((struct hpt_wide){ ~x.hi, ~x.lo }, hpt_wide_of(1));
}

static inline struct hpt_wide hpt_wide_subtract(struct hpt_wide a, struct hpt_wide b)
{
	return hpt_wide_add(a, hpt_wide_negate(b));
}

/* amount * unit. unit is below 2^63. */
struct hpt_wide hpt_wide_product(int64_t amount, uint64_t unit);

/* Converts x to int64. Returns -ERANGE and leaves *ret untouched if it does not fit. */
int hpt_wide_narrow(struct hpt_wide x, int64_t *ret);

/* Splits nanoseconds into seconds, rounded down, and 0 to 999999999 ns more. Valid up to 2^63 seconds. */
void hpt_wide_seconds(struct hpt_wide ns, int64_t *ret_s, uint32_t *ret_ns);

/* num / den as a factor, frac rounded to nearest. den must not be 0. */
struct hpt_scale hpt_scale_of(uint64_t num, uint64_t den);

/* x times the factor, rounded to nearest (halves away from zero); saturates at the int64 range. */
int64_t hpt_scale_round(int64_t x, struct hpt_scale s);

/* The same without saturation, for differences of two int64. |x| must be below 2^64 and the factor below 2^63. */
struct hpt_wide hpt_scale_wide(struct hpt_wide x, struct hpt_scale s);

/*
 * x divided by the factor, rounded to nearest (halves away from zero): the inverse of hpt_scale_wide(), exact for any
 * x. (The product with the inverse factor would be off by up to a quarter of a unit for each 2^63.) Saturates at
 * +-2^64, which hpt_wide_narrow() refuses. The factor must not be 0.
 */
struct hpt_wide hpt_scale_divide(struct hpt_wide x, struct hpt_scale s);

/* Converts a duration to ticks: by multiplication if ns fits int64, as hpt_ns_to_ticks() does, else by division. */
struct hpt_wide hpt_scale_ticks(struct hpt_wide ns, struct hpt_scale tick_per_ns, struct hpt_scale ns_per_tick);

#endif
