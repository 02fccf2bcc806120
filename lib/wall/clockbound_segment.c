// SPDX-License-Identifier: MIT
/* Parses the shared memory of ClockBound's daemon: lib/wall/clockbound_segment.h. */
#include "wall/clockbound_segment.h"

#include "arch/arch.h"
#include "math/units.h"
#include "wall/clockbound_layout.h"
#include "wall/shared_memory.h"

/* Counters of 1 MHz to 64 GHz: a tick lasts from 2^-6 ns to 1000 ns. */
#define PERIOD_LEAST_FRAC (UINT64_C(1) << 58)
#define PERIOD_MOST_NS    1000

static bool has_settled_header(const unsigned char *bytes)
{
	uint16_t generation = hpt_shared_u16(bytes + HPT_CLOCKBOUND_GENERATION);

	return generation && !(generation & 1) && hpt_shared_u16(bytes + HPT_CLOCKBOUND_VERSION);
}

static bool has_magic(const unsigned char *bytes)
{
	return hpt_shared_u32(bytes) == HPT_CLOCKBOUND_MAGIC_0 && hpt_shared_u32(bytes + 4) == HPT_CLOCKBOUND_MAGIC_1;
}

COLD bool hpt_clockbound_is_settled(const unsigned char *bytes, size_t n)
{
	return n < HPT_CLOCKBOUND_HEADER || !has_magic(bytes) || has_settled_header(bytes);
}

/* The layout by version and size; NULL: unknown. */
static const struct hpt_clockbound_layout *layout_of(const unsigned char *bytes, size_t n)
{
	uint16_t version;
	uint32_t size;

	if (n < HPT_CLOCKBOUND_HEADER || !has_magic(bytes) || !has_settled_header(bytes))
		return NULL;
	version = hpt_shared_u16(bytes + HPT_CLOCKBOUND_VERSION);
	size = hpt_shared_u32(bytes + HPT_CLOCKBOUND_SIZE);
	if (size > n)
		return NULL;
	if (version == HPT_CLOCKBOUND_VERSION_2 && size == HPT_CLOCKBOUND_V2_SIZE)
		return &hpt_clockbound_layout_2;
	return version == HPT_CLOCKBOUND_VERSION_3 && size == HPT_CLOCKBOUND_V3_SIZE ? &hpt_clockbound_layout_3 : NULL;
}

static bool parse_time(const unsigned char *bytes, int64_t *ret_ns)
{
	uint64_t s = hpt_shared_u64(bytes), ns = hpt_shared_u64(bytes + 8);

	if (s > HPT_WALL_MOST_NS / NS_PER_S || ns >= NS_PER_S)
		return false;
	*ret_ns = (int64_t)(s * NS_PER_S + ns);
	return true;
}

static bool parse_common(const unsigned char *bytes, const struct hpt_clockbound_layout *at,
			 struct hpt_clockbound *ret)
{
	ret->is_holdover = hpt_shared_u32(bytes + at->status) == HPT_CLOCKBOUND_FREE_RUNNING;
	ret->has_marker = bytes[at->has_marker];
	ret->marker = hpt_shared_u64(bytes + at->marker);
	ret->bound_ns = (int64_t)hpt_shared_u64(bytes + at->bound);
	ret->drift_ppb = hpt_shared_u32(bytes + at->drift);
	/* No clock is without error: a bound of 0 has not been filled in. */
	return parse_time(bytes + at->as_of, &ret->as_of_ns) &&
	       parse_time(bytes + at->void_after, &ret->void_after_ns) &&
	       ret->void_after_ns >= ret->as_of_ns && bytes[at->has_marker] <= 1 && ret->bound_ns > 0 &&
	       ret->bound_ns < HPT_WALL_MOST_NS && ret->drift_ppb < PPB;
}

/* fraction / 2^(64 + shift) in 10^-9, rounded down. */
static struct hpt_scale billionths(uint64_t fraction, unsigned int shift)
{
	struct hpt_scale s;

	s.frac = hpt_mul_wide(fraction, PPB, &s.whole);
	if (shift >= 64) /* below 2^-34 */
		return (struct hpt_scale){ 0, 0 };
	if (shift)
		s = (struct hpt_scale){ s.whole >> shift, s.frac >> shift | s.whole << (64 - shift) };
	return s;
}

/* How long a tick lasts: the period, and by how much it may be wrong. */
static bool parse_band(const unsigned char *bytes, uint32_t drift_ppb, struct hpt_band *ret)
{
	uint64_t period_fraction = hpt_shared_u64(bytes + HPT_CLOCKBOUND_PERIOD);
	uint64_t error_fraction = hpt_shared_u64(bytes + HPT_CLOCKBOUND_PERIOD_ERROR);
	struct hpt_scale period = billionths(period_fraction, bytes[HPT_CLOCKBOUND_PERIOD_SHIFT]);
	struct hpt_scale error = billionths(error_fraction, bytes[HPT_CLOCKBOUND_ERROR_SHIFT]);
	uint64_t error_ppb = drift_ppb + error.whole + !!error_fraction; /* rounded up */

	if (period.whole >= PERIOD_MOST_NS || (!period.whole && period.frac < PERIOD_LEAST_FRAC) ||
	    error_ppb >= PPB)
		return false;
	*ret = (struct hpt_band){ period, { period.whole, period.frac + 1 } }; /* the period is rounded down */
	ret->hi.whole += !ret->hi.frac;
	*ret = hpt_band_widened(ret, (uint32_t)error_ppb);
	return true;
}

static bool parse_lines(const unsigned char *bytes, struct hpt_clockbound *ret)
{
	ret->lines.tick = hpt_shared_u64(bytes + HPT_CLOCKBOUND_AS_OF_TICK);
	ret->lines.lo = (struct hpt_fixed){ .ns = (uint64_t)(ret->as_of_ns - ret->bound_ns) };
	ret->lines.hi = (struct hpt_fixed){ .ns = (uint64_t)(hpt_sum(ret->as_of_ns, ret->bound_ns)) };
	return hpt_wall_is_plausible(ret->as_of_ns - ret->bound_ns, hpt_sum(ret->as_of_ns, ret->bound_ns)) &&
	       parse_band(bytes, ret->drift_ppb, &ret->lines.band);
}

COLD uint32_t hpt_clockbound_parse(const unsigned char *bytes, size_t n, struct hpt_clockbound *ret)
{
	const struct hpt_clockbound_layout *at = layout_of(bytes, n);
	struct hpt_clockbound s = { .version = at == &hpt_clockbound_layout_3 ? 3 : 2 };
	uint32_t status;

	if (!at)
		return HPT_WALL_REASON_FORMAT;
	status = hpt_shared_u32(bytes + at->status);
	if (status != HPT_CLOCKBOUND_SYNCHRONIZED && status != HPT_CLOCKBOUND_FREE_RUNNING)
		return HPT_WALL_REASON_UNSYNCED;
	if (!parse_common(bytes, at, &s) || (at == &hpt_clockbound_layout_3 && !parse_lines(bytes, &s)))
		return HPT_WALL_REASON_ABSURD;
	*ret = s;
	return HPT_WALL_REASON_NONE;
}
