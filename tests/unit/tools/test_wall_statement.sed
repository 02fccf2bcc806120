# SPDX-License-Identifier: MIT

#: tools/wall/wall_statement.c
s/^#define LIFE_2_NS .*/#define LIFE_2_NS LIFE_3_NS/
s/^#define SLEW_PPB 101000000u/#define SLEW_PPB 100000000u/
s/^#define CLIENT_ROUNDING_NS 3/#define CLIENT_ROUNDING_NS 1/
s/^#define LEAP_NEAR_NS NS_PER_S/#define LEAP_NEAR_NS 0/
s/^#define NO_BOUND_NS .*/#define NO_BOUND_NS NS_PER_S/
s/ && !f->is_last)/)/
s/f->state == HPT_WALL_STATE_DISRUPTED ? HPT_CLOCKBOUND_DISRUPTED : //
s/smaller(most_ns, WALL_FACTS_MAX_AGE_NS - f->info.age_ns), left_ns/most_ns, left_ns/
s/!f->info.leap_at_ns || f->time.flags & HPT_WALL_FLAG_SMEARED/!f->info.leap_at_ns/
s/!f->info.leap_at_ns || f->time.flags & HPT_WALL_FLAG_SMEARED/1/
s/leap_at_ns - LEAP_NEAR_NS - f->time.latest_ns/leap_at_ns - LEAP_NEAR_NS - f->time.earliest_ns/
s/left_ns - (left_ns \/ NS_PER_S + 1) \* drift_ppb/left_ns/
s/(left_ns \/ NS_PER_S + 1) \* drift_ppb/(left_ns \/ NS_PER_S) * drift_ppb/
s/	if (s->status != HPT_CLOCKBOUND_DISRUPTED)/	if (1)/
s/	s->void_after_ns = s->as_of_ns;/	;/
s/	if (drift_ppb >= PPB)/	if (0)/
s/	if (life <= 0)/	if (life < 0)/
s/	if (life <= 0)/	if (0)/
s/bound_ns + CLIENT_ROUNDING_NS/bound_ns/
s/SLEW_PPB + info->rate_ppb/SLEW_PPB/
s/(x \* PPB + PPB - x - 1) \/ (PPB - x)/x/
s/return x < PPB ? \(.*\) : PPB;/return \1;/
s/least > most ? least : most/least/
s/least > most ? least : most/most/
s/rate_lo_ppb + info->rate_hi_ppb) \/ 2;/rate_hi_ppb) \/ 2;/
s/period_shift = 62 -/period_shift = 63 -/
s/(uint64_t)(PPB + more_ppb)/(uint64_t)PPB/
s/(above > below ? above : below) + 2/(above > below ? above : below)/
s/return (half \* PPB + of - 1) \/ of;/return half;/
s/	if (f->ticks_ns <= 0)/	if (0)/
s/s->as_of_tick = (uint64_t)f->time.tick;/;/
s/s->as_of_ns = f->time.earliest_ns + .*;/s->as_of_ns = f->time.earliest_ns;/
s/	if (!s.bound_ns)/	if (0)/
s/	if (version == 2)/	if (1)/
s/at->has_marker\] = s->has_marker;/at->has_marker] = 1;/
s/put_u64(ret + at->marker, s->marker);/;/
s/put_u32(ret + at->drift, s->drift_ppb);/;/

#: tools/wall/wall_statement.h
s/state == HPT_WALL_STATE_SYNCED || state == HPT_WALL_STATE_HOLDOVER/state == HPT_WALL_STATE_SYNCED/
