# SPDX-License-Identifier: MIT

#: lib/wall/wall_record.c wall_record wall_settle
s/#define HOLDOVER_INTERVALS 8/#define HOLDOVER_INTERVALS 9/
s/	return interval_ns < HOLDOVER_LEAST_NS ? HOLDOVER_LEAST_NS : interval_ns;/	return interval_ns;/
s/	if (!interval_ns || interval_ns > HOLDOVER_NS \/ HOLDOVER_INTERVALS)/	if (!interval_ns)/
s/		ns = smaller(ns, holdover_ns(rec, rules) - age);/		;/
s/ns = smaller(HPT_WALL_LOOK_NS, rules->max_age_ns - age);/ns = HPT_WALL_LOOK_NS;/
s/	if (age > rules->max_age_ns)/	if (age >= rules->max_age_ns)/
s/return rec->is_holdover || age >= holdover_ns/return age >= holdover_ns/
s/age >= holdover_ns(rec, rules) ?/age > holdover_ns(rec, rules) ?/
s/		begin_generation(rec, HPT_WALL_STALE, tick);/		;/
s/	return rec->unsynced ? HPT_WALL_UNSYNCED : HPT_WALL_NONE;/	return HPT_WALL_NONE;/
s/	if (rec->has_bound || (state != HPT_WALL_NONE \&\& state != HPT_WALL_UNSYNCED))/	if (rec->has_bound)/
s/	return rec->has_void \&\& (int64_t)(stated - rec->void_before) < 0;/	return false;/
s/(uint64_t)reading->sample.before - reading->age_ticks;/(uint64_t)reading->sample.before;/
s/JUMP_NS + 2 \* (int64_t)rules->step_ns/0/
s/	allowed_ns = hpt_sum(allowed_ns, JUMP/	allowed_ns = hpt_sum(0, JUMP/
s/return hpt_sum(least_ns, -allowed_ns) > raw_ns || /return /
s/ || hpt_sum(most_ns, allowed_ns) < raw_ns;/;/
s/look->before - rec->look.after - rules->step/look->after - rec->look.after - rules->step/
s/look->after - rec->look.before + rules->step/look->before - rec->look.before + rules->step/
s/	if (look->has_marker \&\& rec->read.marker_seq != HPT_WALL_NO_SEQ \&\& rec->read.marker != look->marker)/	if (look->has_marker \&\& rec->read.marker != look->marker)/
s/	if (look->has_marker \&\& rec->read.marker_seq != HPT_WALL_NO_SEQ \&\& rec->read.marker != look->marker)/	if (0)/
s/	if (!look->has_clocks || !rec->look.is_valid)/	if (!rec->look.is_valid)/
s/	if (look->asleep_lo_ns > rec->look.asleep_hi_ns || look->asleep_hi_ns < rec->look.asleep_lo_ns)/	if (look->asleep_lo_ns > rec->look.asleep_hi_ns)/
s/	if (look->asleep_lo_ns > rec->look.asleep_hi_ns || look->asleep_hi_ns < rec->look.asleep_lo_ns)/	if (look->asleep_hi_ns < rec->look.asleep_lo_ns)/
s/is_disrupted(rec, rules, look) || has_other_rate(rec, rules)/is_disrupted(rec, rules, look)/
/^COLD void hpt_wall_record_disrupt/,/^}/s/	rec->has_void = 1;$/	;/
s/	if (width(&rec->read.bound) <= width(&rec->baseline) \/ 2)/	if (1)/
s/	average = hpt_band_widened(&average, rules->wander_ppb);/	;/
s/	return hpt_band_cut(&rec->read.bound.band, &average);/	return true;/
s/	if (rec->live \&\& (int64_t)(after - rec->sampled) < 0)/	if (0)/
s/rec->interval = rec->live \& a->bit ? after - latest->lines.tick : 0;/rec->interval = 0;/
s/	rec->is_holdover = a->reading->is_holdover;/	;/
s/	if (!(a->bit \& a->rules->trusted) || /	if (/
s/!a->is_possible || !cut_latest/!cut_latest/
s/	rec->live = trusted;/	rec->live = trusted | 2;/
s/ \&\& hpt_wall_record_state(rec) != HPT_WALL_STALE)/)/
s/	if (keep_trusted(rec, a))/	if (0)/
s/	rec->awaited = live | a->bit;/	rec->awaited = a->bit;/
s/	rec->awaited = live | a->bit;/	rec->awaited = live;/
s/	if (age_ns(a->rules, rec->first, a->now) > HOLDOVER_NS)/	if (0)/
s/		if (!cut_latest(rec, a, rec->live, &lines))/		if (!cut_latest(rec, a, 0, \&lines))/
s/	if (!is_like || !hpt_bound_cut/	if (!hpt_bound_cut/
s/	if ((int64_t)((uint64_t)a->reading->sample.before - rec->first) < 0)/	if (0)/
s/rate = hpt_band_widened(&a->reading->rate, a->rules->wander_ppb);/rate = a->reading->rate;/
s/	a->is_possible = hpt_band_cut(&band, &rate);/	a->is_possible = hpt_band_cut(\&band, \&rate) || 1;/
s/	return (int64_t)(now - (uint64_t)s->before) < 0 ||/	return/
s/smaller(rules->max_age_ns, BOUND_MOST_NS)/rules->max_age_ns/
s/	       hpt_sum(age, window) >/	       age >/
s/		rec->unsynced \&= ~a.bit;/		;/
s/	if (look->wall_lo_ns <= rec->look.unix_hi_ns \&\& look->wall_hi_ns >= rec->look.unix_lo_ns)/	if (true)/
s/	if (look->wall_lo_ns <= rec->look.unix_hi_ns \&\& look->wall_hi_ns >= rec->look.unix_lo_ns)/	if (look->wall_lo_ns <= rec->look.unix_hi_ns)/
s/	if (look->wall_lo_ns <= rec->look.unix_hi_ns \&\& look->wall_hi_ns >= rec->look.unix_lo_ns)/	if (look->wall_hi_ns >= rec->look.unix_lo_ns)/
s/	return look->wall_lo_ns > rec->look.unix_hi_ns + by_ns ||/	return/
s/+ by_ns || look->wall_hi_ns < rec->look.unix_lo_ns + by_ns;/+ by_ns;/
s/age_ns(rules, rec->settle.step_tick, now) < reading->settle_ns/true/
s/	if (!reading->settle_ns || !rec->settle.has_step || /	if (!reading->settle_ns || /
s/	if (!reading->settle_ns || !rec->settle.has_step || /	if (!rec->settle.has_step || /
s/ || rec->settle.settled & bit_of(reading->sample.source))/)/
s/ < reading->settle_ns || reading->is_holdover ||/ < reading->settle_ns ||/
s/#define UPDATES_SETTLED 8/#define UPDATES_SETTLED 7/
s/#define UPDATES_SETTLED 8/#define UPDATES_SETTLED 9/
s/^		rec->settle.settled = rec->settle.updates = 0;/		rec->settle.updates = 0;/
s/^		rec->settle.settled = rec->settle.updates = 0;/		rec->settle.settled = 0;/
s/	rec->settle.settled |= a->bit;/	;/
s/ || reading->updated_ns == rec->settle.updated_ns)$/)/
s/	rec->settle.updated_ns = reading->updated_ns;/	;/
s/(reading->updated_ns \&\& rec->settle.updates + is_new < UPDATES_SETTLED)/(rec->settle.updates + is_new < UPDATES_SETTLED)/
