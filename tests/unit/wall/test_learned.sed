# SPDX-License-Identifier: MIT

#: lib/wall/learned.c learned wall_record
s/	if (width_of(&learned->lines) <= width_of(&learned->baseline) \/ 2)/	if (1)/
s/	average = hpt_band_widened(&average, wander_ppb);/	;/
s/	return hpt_band_cut(&learned->lines.band, &average);/	return true;/
s/	learned->before = before;/	;/
s/	if (!hpt_band_cut(&band, &learned->before))/	if (0)/
s/	band = hpt_band_widened(&band, FORGET_PPB);/	;/
s/	if (!hpt_band_cut(&band, nominal) || /	if (/
s/ || !hpt_band_cut(&band, &within))/)/
s/	if (!hpt_band_is_within(&band, &bound->band))/	if (0)/
s/	if ((int64_t)(now - bound->tick) > 0)/	if (1)/
s/	if (!may_widen) {/	if (0) {/
s/		(void)hpt_band_cut(&bound->band, &band);/		;/
s/	learned->widened = bound->tick;/	;/
s/	learned->widened = widened;/	;/
s/.begun = lines->tick,/.begun = 0,/
s/#define FORGET_PPB 1000/#define FORGET_PPB 100/
#: lib/wall/band.c band learned
s/	return !is_slower(band->lo, of->lo) \&\& /	return /
s/ \&\& !is_slower(of->hi, band->hi);/;/
#: lib/wall/learned.h learned
s/#define HPT_LEARNED_EPOCH_NS (256/#define HPT_LEARNED_EPOCH_NS (255/
s/#define HPT_LEARNED_EPOCH_NS (256/#define HPT_LEARNED_EPOCH_NS (257/
s/#define HPT_LEARNED_EPOCH_NEW 8/#define HPT_LEARNED_EPOCH_NEW 7/
#: lib/wall/wall_record.c learned wall_settle
s/	learned->n_new += a->is_new;/	learned->n_new++;/
s/	if (learned->n_new >= HPT_LEARNED_EPOCH_NEW && age_ns(a->rules, learned->begun, a->now) >= HPT_LEARNED_EPOCH_NS)/	if (0)/
s/	if (learned->n_new >= HPT_LEARNED_EPOCH_NEW && /	if (/
s/hpt_learned_add(learned, &a->epoch, /hpt_learned_add(learned, \&a->sharp, /
s/hpt_learned_next(learned, &a->lines);/hpt_learned_next(learned, \&a->sharp);/
s/	rates.utc = rec->learned.lines.band;/	rates.utc = rec->read.bound.band;/
s/	a->is_new = hpt_measured_note(/	a->is_new = true;(void)hpt_measured_note(/
s/	shift(&rec->learned.lines, by_ns);/	;/
s/	shift(&rec->learned.baseline, by_ns);/	;/
#: lib/wall/measured.c learned measured
s/		is_new |= !known || known->number != m->number;/		is_new = true;/
s/		is_new |= !known || known->number != m->number;/		is_new |= !known;/
