// SPDX-License-Identifier: MIT
/* Exact multiplication by a fraction of two integers: lib/math/ratio.h. */
#include "math/ratio.h"

#include "arch/arch.h"

static struct hpt_wide ratio_magnitude(struct hpt_wide x)
{
	return hpt_wide_is_negative(x) ? hpt_wide_negate(x) : x;
}

/* x / den by long division, since not every compiler's runtime divides 128 bits. *ret_rest is the remainder. */
static struct hpt_wide divide_wide(struct hpt_wide x, uint64_t den, uint64_t *ret_rest)
{
	uint64_t rest = 0;

	for (int bit = 0; bit < 128; bit++) {
		rest = rest << 1 | x.hi >> 63;
		x = hpt_wide_add(x, x);
		if (rest >= den) {
			rest -= den;
			x.lo |= 1;
		}
	}
	*ret_rest = rest;
	return x;
}

/* x is not negative. The result leaves out *ret_rest / den. Dividing first keeps the products within 128 bits. */
static struct hpt_wide multiply_wide(struct hpt_wide x, uint64_t num, uint64_t den, uint64_t *ret_rest)
{
	struct hpt_wide whole, part, q;
	uint64_t rest;

	q = divide_wide(x, den, &rest);
	whole.lo = hpt_mul_wide(q.lo, num, &whole.hi);
	whole.hi += q.hi * num;
	part.lo = hpt_mul_wide(rest, num, &part.hi);
	return hpt_wide_add(whole, divide_wide(part, den, ret_rest));
}

struct hpt_wide hpt_ratio_floor(struct hpt_wide x, uint64_t num, uint64_t den)
{
	uint64_t rest;
	struct hpt_wide p = multiply_wide(ratio_magnitude(x), num, den, &rest);

	if (!hpt_wide_is_negative(x))
		return p;
	return hpt_wide_negate(hpt_wide_add(p, hpt_wide_of(rest > 0)));
}

struct hpt_wide hpt_ratio_ceiling(struct hpt_wide x, uint64_t num, uint64_t den)
{
	return hpt_wide_negate(hpt_ratio_floor(hpt_wide_negate(x), num, den));
}

COLD struct hpt_wide hpt_ratio_nearest(struct hpt_wide x, uint64_t num, uint64_t den)
{
	uint64_t rest;
	struct hpt_wide p = multiply_wide(ratio_magnitude(x), num, den, &rest);

	p = hpt_wide_add(p, hpt_wide_of(rest >= den - rest));
	return hpt_wide_is_negative(x) ? hpt_wide_negate(p) : p;
}

COLD uint64_t hpt_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}
