// SPDX-License-Identifier: MIT
/* Bounds, two lines from ticks to UTC: lib/wall/bound.h. */
#include "wall/bound.h"

#include "arch/arch.h"

/* Rounded up: whole nanoseconds too get one more, which saves a branch. */
static int64_t rounded_up(struct hpt_fixed f)
{
	return (int64_t)f.ns + 1;
}

COLD struct hpt_utc hpt_bound_after(const struct hpt_bound_lines *lines, uint64_t ticks)
{
	struct hpt_fixed lo = hpt_fixed_add(lines->lo, hpt_slope_times(ticks, lines->band.lo));
	struct hpt_fixed hi = hpt_fixed_add(lines->hi, hpt_slope_times(ticks, lines->band.hi));

	return (struct hpt_utc){ (int64_t)lo.ns, rounded_up(hi) };
}

COLD struct hpt_utc hpt_bound_before(const struct hpt_bound_lines *lines, uint64_t ticks)
{
	struct hpt_fixed lo = hpt_fixed_sub(lines->lo, hpt_slope_times(ticks, lines->band.hi));
	struct hpt_fixed hi = hpt_fixed_sub(lines->hi, hpt_slope_times(ticks, lines->band.lo));

	return (struct hpt_utc){ (int64_t)lo.ns, rounded_up(hi) };
}

COLD struct hpt_utc hpt_bound_at(const struct hpt_bound_lines *lines, uint64_t t)
{
	if ((int64_t)(t - lines->tick) < 0)
		return hpt_bound_before(lines, lines->tick - t);
	return hpt_bound_after(lines, t - lines->tick);
}

COLD void hpt_bound_carry(struct hpt_bound_lines *lines, uint64_t tick)
{
	lines->lo = hpt_fixed_add(lines->lo, hpt_slope_times(tick - lines->tick, lines->band.lo));
	lines->hi = hpt_fixed_add(lines->hi, hpt_slope_times(tick - lines->tick, lines->band.hi));
	lines->tick = tick;
}

/*
 * The counter shows `after` until its next step, so the moment of the statement may be up to a step later: lo, which is
 * UTC when it begins to show `after`, is less by a step. A reading may be as much later than its tick: hi is more.
 */
COLD struct hpt_bound_lines hpt_bound_of(uint64_t before, uint64_t after, struct hpt_utc utc, uint64_t step,
					 const struct hpt_band *band)
{
	struct hpt_fixed of_step = hpt_slope_times(step, band->hi);
	struct hpt_fixed of_width = hpt_slope_times(after - before, band->hi);
	struct hpt_bound_lines lines = { .tick = after, .band = *band };

	lines.lo = hpt_fixed_sub((struct hpt_fixed){ .ns = (uint64_t)utc.lo_ns }, of_step);
	lines.hi = hpt_fixed_add((struct hpt_fixed){ .ns = (uint64_t)utc.hi_ns }, hpt_fixed_add(of_width, of_step));
	return lines;
}

static bool is_earlier(struct hpt_fixed a, struct hpt_fixed b)
{
	return (int64_t)a.ns < (int64_t)b.ns || (a.ns == b.ns && a.frac < b.frac);
}

COLD bool hpt_bound_cut(struct hpt_bound_lines *lines, const struct hpt_bound_lines *with)
{
	struct hpt_bound_lines cut = *lines, other = *with;

	if (!hpt_band_cut(&cut.band, &other.band))
		return false;
	other.band = cut.band;
	if ((int64_t)(other.tick - cut.tick) > 0)
		hpt_bound_carry(&cut, other.tick);
	else
		hpt_bound_carry(&other, cut.tick);
	if (is_earlier(cut.lo, other.lo))
		cut.lo = other.lo;
	if (is_earlier(other.hi, cut.hi))
		cut.hi = other.hi;
	if (is_earlier(cut.hi, cut.lo))
		return false;
	*lines = cut;
	return true;
}

/* hi is not before lo. */
static struct hpt_fixed between(struct hpt_fixed lo, struct hpt_fixed hi)
{
	struct hpt_fixed by = hpt_fixed_sub(hi, lo);

	return hpt_fixed_add(lo, (struct hpt_fixed){ by.ns >> 1, by.ns << 63 | by.frac >> 1 });
}

COLD struct hpt_bound_lines hpt_bound_middle(const struct hpt_bound_lines *lines)
{
	const struct hpt_scale *least = &lines->band.lo, *most = &lines->band.hi;
	struct hpt_fixed at = between(lines->lo, lines->hi);
	struct hpt_fixed rate = between((struct hpt_fixed){ least->whole, least->frac },
					(struct hpt_fixed){ most->whole, most->frac });
	struct hpt_scale slope = { rate.ns, rate.frac };

	return (struct hpt_bound_lines){ .tick = lines->tick, .lo = at, .hi = at, .band = { slope, slope } };
}

COLD uint64_t hpt_bound_tick_after(const struct hpt_bound_lines *lines, int64_t ns)
{
	struct hpt_wide left = hpt_wide_subtract(hpt_wide_of(ns), hpt_wide_of((int64_t)lines->lo.ns));
	int64_t ticks = INT64_MAX;

	if (hpt_wide_is_negative(left))
		return lines->tick;
	/* lo_ns is rounded down, so it must reach ns + 1. hpt_scale_divide() rounds to nearest: one tick more. */
	left = hpt_wide_add(left, hpt_wide_of(1));
	(void)hpt_wide_narrow(hpt_wide_add(hpt_scale_divide(left, lines->band.lo), hpt_wide_of(1)), &ticks);
	/* That is a tick too late, and as many more as fit the fraction of a nanosecond that lo has: 11 at 10 GHz. */
	while (ticks < INT64_MAX && ticks > 0 && hpt_bound_after(lines, (uint64_t)ticks - 1).lo_ns > ns)
		ticks--;
	return (uint64_t)hpt_sum((int64_t)lines->tick, ticks);
}
