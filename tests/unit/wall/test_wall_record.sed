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
s/		begin_generation(rec, HPT_WALL_STATE_STALE, tick);/		;/
s/	return rec->unsynced ? HPT_WALL_STATE_UNSYNCED : HPT_WALL_STATE_NONE;/	return HPT_WALL_STATE_NONE;/
s/	if (rec->has_bound || (state != HPT_WALL_STATE_NONE \&\& state != HPT_WALL_STATE_UNSYNCED))/	if (rec->has_bound)/
s/	return rec->has_void \&\& (int64_t)(stated - rec->void_before) < 0;/	return false;/
s/(uint64_t)reading->sample.before - reading->age_ticks;/(uint64_t)reading->sample.before;/
s/	rec->read.clones += is_clone;/	;/
s/	if (has_event || is_clone || /	if (has_event || /
s/ || is_moved || / || /
s/	bool has_marks = look->has_marks \&\& /	bool has_marks = /
s/ \&\& rec->read.marker_seq != HPT_WALL_NO_SEQ;/;/
s/is_clone = has_marks \&\& /is_clone = /
s/is_moved = has_marks \&\& /is_moved = /
s/	rec->look.has_vm_generation = look->marks.has_generation;/	;/
s/	rec->look.vm_generation = look->marks.generation;/	;/
s/^	    has_other_rate(rec, rules))/	    0)/
/^COLD void hpt_wall_record_disrupt/,/^}/s/	rec->has_void = 1;$/	;/
s/	if (rec->live \&\& (int64_t)(after - rec->sampled) < 0)/	if (0)/
s/rec->interval = rec->live \& a->bit ? after - latest->lines.tick : 0;/rec->interval = 0;/
s/	rec->is_holdover = a->reading->is_holdover;/	;/
s/	if (!(a->bit \& a->rules->trusted) || /	if (/
s/!a->is_possible || !cut_latest/!cut_latest/
s/	rec->live = trusted;/	;/
s/^	    hpt_wall_record_state(rec) != HPT_WALL_STATE_STALE)/	    1)/
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
s/age_ns(rules, rec->settle.step_tick, now) < reading->settle_ns/true/
s/	return rec->settle.has_step && /	return /
s/		rec->settle.events.steps++;/		;/
s/.step_lo_ns = hpt_sum(look->wall_lo_ns, -rec->look.unix_hi_ns);/.step_lo_ns = hpt_sum(look->wall_lo_ns, -rec->look.unix_lo_ns);/
s/.step_hi_ns = hpt_sum(look->wall_hi_ns, -rec->look.unix_lo_ns);/.step_hi_ns = hpt_sum(look->wall_lo_ns, -rec->look.unix_lo_ns);/
s/	rec->settle.events.voids += by_ns != 0;/	;/
s/	rec->settle.events.voids += by_ns != 0;/	rec->settle.events.voids++;/
/^COLD void hpt_wall_record_disrupt/,/^}/s/	rec->settle.events.voids++;/	;/
s/		rec->unsynced &= ~a->bit;/		;/
s/	rates.utc = rec->read.bound.band;/	;/
s/hpt_bound_cut(&next.read.bound, &a->sharp)/hpt_bound_cut(\&next.read.bound, \&a->lines)/
s/	if (!reason && !hpt_wall_is_plausible(a->utc.lo_ns, a->utc.hi_ns))/	if (0)/
s/	rec->counts.contradictions += reason == HPT_WALL_REASON_CONTRADICTED;/	;/
s/	reading->sample.earliest_ns = a->utc.lo_ns;/	;/
s/	reading->sample.latest_ns = a->utc.hi_ns;/	;/
s/	int64_t leap_at_ns = rec->flags & HPT_WALL_FLAG_SMEARED ? 0 : rec->leap.at_ns;/	int64_t leap_at_ns = 0;/
s/	int64_t leap_at_ns = rec->flags & HPT_WALL_FLAG_SMEARED ? 0 : rec->leap.at_ns;/	int64_t leap_at_ns = rec->leap.at_ns;/
s/	if (reading->n_measured)$/	if (0)/
s/	utc.lo_ns += a->by_ns;/	;/
s/hpt_wall_is_stepped(&rec->look, look, -leap_ns(rec))/hpt_wall_is_stepped(\&rec->look, look, 0)/

#: lib/wall/wall_events.c wall_record wall_settle
#: lib/wall/wall_events.c wall_record wall_settle
s/JUMP_NS + 2 \* (int64_t)rules->step_ns/0/
s/	allowed_ns = hpt_sum(allowed_ns, JUMP/	allowed_ns = hpt_sum(0, JUMP/
s/return hpt_sum(least_ns, -allowed_ns) > raw_ns || /return /
s/ || hpt_sum(most_ns, allowed_ns) < raw_ns;/;/
s/look->before - before->after - rules->step/look->after - before->after - rules->step/
s/look->after - before->before + rules->step/look->before - before->before + rules->step/
s/	if (!look->has_clocks || !before->is_valid)/	if (!before->is_valid)/
s/	if (look->asleep_lo_ns > before->asleep_hi_ns || look->asleep_hi_ns < before->asleep_lo_ns)/	if (look->asleep_lo_ns > before->asleep_hi_ns)/
s/	if (look->asleep_lo_ns > before->asleep_hi_ns || look->asleep_hi_ns < before->asleep_lo_ns)/	if (look->asleep_hi_ns < before->asleep_lo_ns)/
s/	if (look->wall_lo_ns <= before->unix_hi_ns \&\& look->wall_hi_ns >= before->unix_lo_ns)/	if (true)/
s/	if (look->wall_lo_ns <= before->unix_hi_ns \&\& look->wall_hi_ns >= before->unix_lo_ns)/	if (look->wall_lo_ns <= before->unix_hi_ns)/
s/	if (look->wall_lo_ns <= before->unix_hi_ns \&\& look->wall_hi_ns >= before->unix_lo_ns)/	if (look->wall_hi_ns >= before->unix_lo_ns)/
s/	return look->wall_lo_ns > before->unix_hi_ns + leap_ns ||/	return/
s/+ leap_ns || look->wall_hi_ns < before->unix_lo_ns + leap_ns;/+ leap_ns;/
s/	return before->has_vm_generation != look->marks.has_generation ||/	return/
s/	       before->vm_generation != look->marks.generation;/	       (uint32_t)before->vm_generation != (uint32_t)look->marks.generation;/
s/	       before->vm_generation != look->marks.generation;/	       0;/
