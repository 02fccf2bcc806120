// SPDX-License-Identifier: MIT
/* Fixed-point factors, computed once per rate and exact over the whole int64 range: lib/math/scale.h. */
#include "math/scale.h"
#include "math/units.h"

#include <errno.h>

#include "arch/arch.h"

static uint64_t magnitude(int64_t x)
{
	return x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
}

static struct hpt_wide with_sign(struct hpt_wide x, bool negative)
{
	return negative ? hpt_wide_negate(x) : x;
}

static bool is_less(struct hpt_wide a, struct hpt_wide b)
{
	return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

struct hpt_wide hpt_wide_product(int64_t amount, uint64_t unit)
{
	struct hpt_wide p;

	p.lo = hpt_mul_wide(magnitude(amount), unit, &p.hi);
	return with_sign(p, amount < 0);
}

int hpt_wide_narrow(struct hpt_wide x, int64_t *ret)
{
	int64_t low = (int64_t)x.lo;

	if (hpt_wide_of(low).hi != x.hi)
		return -ERANGE;
	*ret = low;
	return 0;
}

void hpt_wide_seconds(struct hpt_wide ns, int64_t *ret_s, uint32_t *ret_ns)
{
	/* A negative number is divided by way of its complement, which makes the quotient round down. */
	uint64_t flip = hpt_wide_is_negative(ns) ? UINT64_MAX : 0, s = 0, rest = 0;
	const uint32_t digits[] = { (uint32_t)((ns.hi ^ flip) >> 32), (uint32_t)(ns.hi ^ flip),
				    (uint32_t)((ns.lo ^ flip) >> 32), (uint32_t)(ns.lo ^ flip) };

	for (int i = 0; i < 4; i++) {
		rest = rest << 32 | digits[i];
		s = s << 32 | rest / NS_PER_S;
		rest %= NS_PER_S;
	}
	*ret_s = (int64_t)(s ^ flip);
	*ret_ns = (uint32_t)(flip ? NS_PER_S - 1 - (int64_t)rest : (int64_t)rest);
}

/*
 * rest / den as a multiple of 2^-64, rounded to nearest; rest is below den. Long division, one bit at a time, because
 * not every compiler's runtime divides 128 bits by 64.
 */
static struct hpt_wide fraction(struct hpt_wide rest, struct hpt_wide den)
{
	struct hpt_wide q = { 0, 0 };

	for (int bit = 0; bit < 64; bit++) {
		bool carry = rest.hi >> 63;

		rest = hpt_wide_add(rest, rest);
		q.lo <<= 1;
		if (carry || !is_less(rest, den)) {
			rest = hpt_wide_subtract(rest, den);
			q.lo |= 1;
		}
	}
	if (!is_less(rest, hpt_wide_subtract(den, rest)))
		q = hpt_wide_add(q, hpt_wide_of(1));
	return q;
}

COLD struct hpt_scale hpt_scale_of(uint64_t num, uint64_t den)
{
	struct hpt_wide q = fraction((struct hpt_wide){ 0, num % den }, (struct hpt_wide){ 0, den });

	/* q.hi is 0: the largest fraction, (den - 1) / den, rounds up to 1 only from den = 2^65 on. */
	return (struct hpt_scale){ .whole = num / den, .frac = q.lo };
}

/* x times the factor, rounded to nearest. */
static struct hpt_wide multiply(uint64_t x, struct hpt_scale s)
{
	struct hpt_wide p;
	uint64_t frac_hi, frac_lo = hpt_mul_wide(x, s.frac, &frac_hi);

	p.lo = hpt_mul_wide(x, s.whole, &p.hi);
	frac_hi += frac_lo >> 63; /* nearest; cannot wrap, frac_hi is at most 2^64 - 2 */
	p.hi += __builtin_add_overflow(p.lo, frac_hi, &p.lo);
	return p;
}

int64_t hpt_scale_round(int64_t x, struct hpt_scale s)
{
	uint64_t limit = (uint64_t)INT64_MAX + (x < 0);
	struct hpt_wide p = multiply(magnitude(x), s);

	if (p.hi || p.lo > limit)
		p.lo = limit;
	return x < 0 ? (int64_t)(0 - p.lo) : (int64_t)p.lo;
}

struct hpt_wide hpt_scale_wide(struct hpt_wide x, struct hpt_scale s)
{
	bool negative = hpt_wide_is_negative(x);

	return with_sign(multiply(with_sign(x, negative).lo, s), negative);
}

struct hpt_wide hpt_scale_divide(struct hpt_wide x, struct hpt_scale s)
{
	struct hpt_wide den = { s.whole, s.frac }, q = { 1, 0 };
	bool negative = hpt_wide_is_negative(x);

	x = with_sign(x, negative);
	if (is_less(x, den))
		q = fraction(x, den);
	return with_sign(q, negative);
}

struct hpt_wide hpt_scale_ticks(struct hpt_wide ns, struct hpt_scale tick_per_ns, struct hpt_scale ns_per_tick)
{
	int64_t narrow;

	return hpt_wide_narrow(ns, &narrow) ? hpt_scale_divide(ns, ns_per_tick) : hpt_scale_wide(ns, tick_per_ns);
}
