// SPDX-License-Identifier: MIT
/* Fixed-point factors: made once per rate, exact over the whole int64 range. */
#include "scale.h"

/* Long division, a bit at a time: 128 by 64 bits is not in every compiler's runtime. */
static uint64_t fraction_bits(uint64_t rest, uint64_t den, uint64_t *ret_rest)
{
	uint64_t frac = 0;

	for (int bit = 0; bit < 64; bit++) {
		uint64_t carry = rest >> 63;

		rest <<= 1;
		frac <<= 1;
		if (carry || rest >= den) {
			rest -= den;
			frac |= 1;
		}
	}
	*ret_rest = rest;
	return frac;
}

struct hpt_scale hpt_scale_of(uint64_t num, uint64_t den)
{
	struct hpt_scale s = { .whole = num / den };
	uint64_t rest;

	s.frac = fraction_bits(num % den, den, &rest);
	if (rest >= den - rest && ++s.frac == 0)
		s.whole++;
	return s;
}

int64_t hpt_scale_round(int64_t x, struct hpt_scale s)
{
	uint64_t magnitude = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
	uint64_t limit = x < 0 ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
	uint64_t whole_hi, frac_hi;
	uint64_t whole_lo = hpt_mul_wide(magnitude, s.whole, &whole_hi);
	uint64_t frac_lo = hpt_mul_wide(magnitude, s.frac, &frac_hi);
	uint64_t sum = whole_lo;

	frac_hi += frac_lo >> 63; /* nearest; cannot wrap, frac_hi is at most 2^63 - 1 */
	if (whole_hi || __builtin_add_overflow(sum, frac_hi, &sum) || sum > limit)
		sum = limit;
	return x < 0 ? (int64_t)(0 - sum) : (int64_t)sum;
}
