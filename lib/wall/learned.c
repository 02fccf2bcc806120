// SPDX-License-Identifier: MIT
/* What a wall has learned of the counter's rate: lib/wall/learned.h. */
#include "wall/learned.h"

#include "arch/arch.h"

/* By which a false edge leaves: a microsecond a second. With a wander of 15 ppm a bound grows 7 % faster. */
#define FORGET_PPB 1000

static uint64_t width_of(const struct hpt_bound_lines *lines)
{
	return hpt_fixed_sub(lines->hi, lines->lo).ns;
}

/* The average since the baseline narrows the band. Much narrower lines become the next baseline. */
static bool learn_rate(struct hpt_learned *learned, uint32_t wander_ppb)
{
	uint64_t ticks = learned->lines.tick - learned->baseline.tick;
	struct hpt_band average;

	if ((int64_t)ticks <= 0)
		return true;
	average = hpt_band_between(hpt_bound_after(&learned->baseline, 0), hpt_bound_after(&learned->lines, 0), ticks,
				   ticks);
	average = hpt_band_widened(&average, wander_ppb);
	if (width_of(&learned->lines) <= width_of(&learned->baseline) / 2)
		learned->baseline = learned->lines;
	return hpt_band_cut(&learned->lines.band, &average);
}

COLD void hpt_learned_begin(struct hpt_learned *learned, const struct hpt_bound_lines *lines)
{
	*learned = (struct hpt_learned){
		.lines = *lines, .baseline = *lines, .before = lines->band, .begun = lines->tick,
		.widened = lines->tick,
	};
}

COLD bool hpt_learned_add(struct hpt_learned *learned, const struct hpt_bound_lines *lines, uint32_t wander_ppb)
{
	return hpt_bound_cut(&learned->lines, lines) && learn_rate(learned, wander_ppb);
}

COLD void hpt_learned_next(struct hpt_learned *learned, const struct hpt_bound_lines *lines)
{
	struct hpt_band before = learned->lines.band;
	uint64_t widened = learned->widened;

	hpt_learned_begin(learned, lines);
	learned->before = before;
	learned->widened = widened;
}

static void widen(struct hpt_learned *learned, uint64_t now, struct hpt_bound_lines *bound)
{
	if ((int64_t)(now - bound->tick) > 0)
		hpt_bound_carry(bound, now);
	learned->widened = bound->tick;
}

COLD bool hpt_learned_apply(struct hpt_learned *learned, const struct hpt_band *nominal, uint64_t now, bool may_widen,
			    struct hpt_bound_lines *bound)
{
	struct hpt_band band = learned->lines.band, within = hpt_band_widened(&bound->band, FORGET_PPB);

	if (!hpt_band_cut(&band, &learned->before))
		return false;
	band = hpt_band_widened(&band, FORGET_PPB);
	if (!hpt_band_cut(&band, nominal) || !hpt_band_cut(&band, &within))
		return false;
	if (!may_widen) {
		(void)hpt_band_cut(&bound->band, &band);
		return true;
	}
	if (!hpt_band_is_within(&band, &bound->band))
		widen(learned, now, bound);
	bound->band = band;
	return true;
}
