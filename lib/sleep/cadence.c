// SPDX-License-Identifier: MIT
/* Moments a rational number of nanoseconds apart: lib/sleep/cadence.h. */
#include "sleep/cadence.h"

#include "arch/arch.h"
#include "math/scale.h"
#include "math/units.h"

COLD struct hpt_cadence hpt_cadence_of_ns(int64_t period_ns)
{
	return (struct hpt_cadence){ (uint64_t)period_ns, 0, 1 };
}

COLD struct hpt_cadence hpt_cadence_of_seconds(uint32_t num, uint32_t den)
{
	uint64_t ns = (uint64_t)num * (uint64_t)NS_PER_S;

	return (struct hpt_cadence){ ns / den, (uint32_t)(ns % den), den };
}

/* x / den, for x below 2^64 * den. */
static uint64_t divide_by_word(struct hpt_wide x, uint32_t den, uint32_t *ret_rest)
{
	uint64_t mid = (x.hi % den) << 32 | x.lo >> 32;
	uint64_t low = (mid % den) << 32 | (uint32_t)x.lo;

	*ret_rest = (uint32_t)(low % den);
	return mid / den << 32 | low / den;
}

/* x / den, saturated. Long division: not every compiler's runtime divides 128 bits by 64. */
static uint64_t divide(struct hpt_wide x, uint64_t den)
{
	uint64_t rest = x.hi, q = 0;

	if (rest >= den)
		return UINT64_MAX;
	for (int bit = 63; bit >= 0; bit--) {
		rest = rest << 1 | (x.lo >> bit & 1); /* below 2 * den, so below 2^64 */
		q = q << 1 | (rest >= den);
		rest -= rest >= den ? den : 0;
	}
	return q;
}

/* INT64_MAX is for ever, also after a beat before 0. */
static bool is_endless(struct hpt_cadence c)
{
	return c.whole_ns == INT64_MAX;
}

struct hpt_beat hpt_cadence_later(struct hpt_cadence c, struct hpt_beat b, uint64_t n)
{
	struct hpt_wide whole, parts;
	struct hpt_beat later = { INT64_MAX, 0 };
	uint64_t carried;

	parts.lo = hpt_mul_wide(n, c.num, &parts.hi);
	carried = divide_by_word(hpt_wide_add(parts, hpt_wide_of(b.num)), c.den, &later.num);
	whole.lo = hpt_mul_wide(n, c.whole_ns, &whole.hi);
	whole = hpt_wide_add(hpt_wide_add(whole, (struct hpt_wide){ 0, carried }), hpt_wide_of(b.ns));
	if (hpt_wide_narrow(whole, &later.ns) || later.ns == INT64_MAX || (is_endless(c) && n))
		return (struct hpt_beat){ INT64_MAX, 0 };
	return later;
}

uint64_t hpt_cadence_due(struct hpt_cadence c, struct hpt_beat b, int64_t now_ns)
{
	uint64_t period = c.whole_ns * c.den + c.num; /* in parts of a nanosecond; below 2^63 */
	struct hpt_wide parts;

	if (now_ns < hpt_beat_ns(b) || !period || is_endless(c))
		return 0;
	parts.lo = hpt_mul_wide((uint64_t)now_ns - (uint64_t)b.ns, c.den, &parts.hi);
	parts = hpt_wide_subtract(parts, hpt_wide_of(b.num));
	return parts.hi ? divide(parts, period) : parts.lo / period;
}
