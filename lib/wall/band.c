// SPDX-License-Identifier: MIT
/* Bands of rates: lib/wall/band.h. */
#include "wall/band.h"

#include "arch/arch.h"
#include "math/ratio.h"
#include "math/units.h"

/* A factor as an integer in units of 2^-64. */
static struct hpt_wide units(struct hpt_scale s)
{
	return (struct hpt_wide){ .hi = s.whole, .lo = s.frac };
}

static struct hpt_scale scale(struct hpt_wide units)
{
	return (struct hpt_scale){ .whole = units.hi, .frac = units.lo };
}

static bool is_slower(struct hpt_scale a, struct hpt_scale b)
{
	return a.whole < b.whole || (a.whole == b.whole && a.frac < b.frac);
}

COLD struct hpt_band hpt_band_widened(const struct hpt_band *band, uint32_t ppb)
{
	return (struct hpt_band){
		.lo = scale(hpt_ratio_floor(units(band->lo), PPB - ppb, PPB)),
		.hi = scale(hpt_ratio_ceiling(units(band->hi), PPB + ppb, PPB)),
	};
}

/* hpt_scale_of() rounds to nearest: one unit less, or more, is beyond the true quotient. */
static struct hpt_scale quotient(int64_t ns, uint64_t ticks, int64_t rounding)
{
	if (ns <= 0)
		return (struct hpt_scale){ 0, 0 };
	return scale(hpt_wide_add(units(hpt_scale_of((uint64_t)ns, ticks)), hpt_wide_of(rounding)));
}

COLD struct hpt_band hpt_band_between(struct hpt_utc from, struct hpt_utc to, uint64_t least_ticks, uint64_t most_ticks)
{
	struct hpt_band band = {
		.lo = quotient(to.lo_ns - from.hi_ns, most_ticks, 0),
		.hi = quotient(to.hi_ns - from.lo_ns, least_ticks, 1),
	};

	if (band.lo.whole | band.lo.frac)
		band.lo = scale(hpt_wide_subtract(units(band.lo), hpt_wide_of(1)));
	return band;
}

COLD bool hpt_band_cut(struct hpt_band *band, const struct hpt_band *with)
{
	struct hpt_band cut = *band;

	if (is_slower(cut.lo, with->lo))
		cut.lo = with->lo;
	if (is_slower(with->hi, cut.hi))
		cut.hi = with->hi;
	if (is_slower(cut.hi, cut.lo))
		return false;
	*band = cut;
	return true;
}

COLD bool hpt_band_is_within(const struct hpt_band *band, const struct hpt_band *of)
{
	return !is_slower(band->lo, of->lo) && !is_slower(of->hi, band->hi);
}

COLD int32_t hpt_band_ppb(struct hpt_scale a, struct hpt_scale b)
{
	struct hpt_wide off = hpt_scale_divide(hpt_scale_wide(hpt_wide_of(INT64_C(1) << 60), a), b);
	int64_t narrow = INT64_MAX;

	(void)hpt_wide_narrow(hpt_wide_subtract(off, hpt_wide_of(INT64_C(1) << 60)), &narrow);
	narrow = hpt_scale_round(narrow, hpt_scale_of(PPB, UINT64_C(1) << 60));
	return narrow > INT32_MAX ? INT32_MAX : narrow < INT32_MIN ? INT32_MIN : (int32_t)narrow;
}
