# SPDX-License-Identifier: MIT

#: lib/wall/bound.c
s/return (int64_t)f.ns + 1;/return (int64_t)f.ns;/
/^COLD struct hpt_utc hpt_bound_after/,/^}/s/hpt_slope_times(ticks, lines->band.lo)/hpt_slope_times(ticks, lines->band.hi)/
/^COLD struct hpt_utc hpt_bound_after/,/^}/s/hpt_slope_times(ticks, lines->band.hi)/hpt_slope_times(ticks, lines->band.lo)/
/^COLD struct hpt_utc hpt_bound_before/,/^}/s/hpt_slope_times(ticks, lines->band.lo)/hpt_slope_times(ticks, lines->band.hi)/
/^COLD struct hpt_utc hpt_bound_before/,/^}/s/hpt_slope_times(ticks, lines->band.hi)/hpt_slope_times(ticks, lines->band.lo)/
s/	if ((int64_t)(t - lines->tick) < 0)/	if (t < lines->tick)/
s/^	lines->tick = tick;/	;/
s/hpt_slope_times(step, band->hi)/hpt_slope_times(step, band->lo)/
s/hpt_slope_times(after - before, band->hi)/hpt_slope_times(after - before, band->lo)/
s/hpt_fixed_add(of_width, of_step)/of_width/
s/hpt_fixed_add(of_width, of_step)/of_step/
s/(struct hpt_fixed){ .ns = (uint64_t)utc.lo_ns }, of_step)/(struct hpt_fixed){ .ns = (uint64_t)utc.lo_ns }, (struct hpt_fixed){ 0 })/
s/	if (!hpt_band_cut(&cut.band, &other.band))/	if (!hpt_band_cut(\&cut.band, \&other.band) \&\& 0)/
s/^	other.band = cut.band;/	;/
s/	if ((int64_t)(other.tick - cut.tick) > 0)/	if (1)/
s/	if (is_earlier(cut.lo, other.lo))/	if (is_earlier(other.lo, cut.lo))/
s/	if (is_earlier(other.hi, cut.hi))/	if (is_earlier(cut.hi, other.hi))/
s/	if (is_earlier(cut.hi, cut.lo))/	if (0)/
s/(a.ns == b.ns \&\& a.frac < b.frac)/0/
s/	left = hpt_wide_add(left, hpt_wide_of(1));/	;/
s/hpt_wide_add(hpt_scale_divide(left, lines->band.lo), hpt_wide_of(1))/hpt_wide_add(hpt_scale_divide(left, lines->band.lo), hpt_wide_of(-1))/
s/^		ticks--;/		break;/
s/hpt_sum((int64_t)lines->tick, ticks)/(int64_t)(lines->tick + (uint64_t)ticks)/
/^COLD uint64_t hpt_bound_tick_after/,/^}/s/	if (hpt_wide_is_negative(left))/	if (0)/
s/by.ns << 63 | by.frac >> 1/by.frac >> 1/
s/(struct hpt_fixed){ by.ns >> 1, /(struct hpt_fixed){ by.ns, /
s/.hi = at, .band = { slope, slope }/.hi = at, .band = lines->band/
