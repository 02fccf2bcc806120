# SPDX-License-Identifier: MIT

#: lib/wall/leap.c
s/	leap->is_covered = leap->sign > 0 ? 1 : 2;/	leap->is_covered = 1;/
s/	leap->passed_ns = leap->at_ns;/	;/
s/utc.lo_ns >= leap->at_ns + HPT_LEAP_NEAR_NS;/utc.hi_ns >= leap->at_ns + HPT_LEAP_NEAR_NS;/
s/utc.hi_ns >= leap->at_ns - HPT_LEAP_NEAR_NS \&\&/utc.lo_ns >= leap->at_ns - HPT_LEAP_NEAR_NS \&\&/
s/	if (reading->leap == HPT_WALL_LEAP_UNKNOWN)/	if (0)/
s/		if (leap->source == s->source)/		if (1)/
s/		if (leap->source == s->source)/		if (0)/
s/	if (is_leap_over(leap, s, at_ns))/	if (0)/
s/	return is_new \&\& bound_latest_ns/	return bound_latest_ns/
s/	return is_new \&\& bound_latest_ns >= at_ns - HPT_LEAP_NEAR_NS;/	return false;/

#: lib/wall/leap.h
s/return s >= HPT_LEAP_TAI_LEAST_S \&\& /return /
s/ \&\& s <= HPT_LEAP_TAI_MOST_S;/;/

#: lib/wall/wall_record.c
s/return !(rec->flags \& HPT_WALL_FLAG_SMEARED) \&\& hpt_leap_is_near/return hpt_leap_is_near/
s/return !(s->flags \& HPT_WALL_FLAG_SMEARED) \&\& hpt_leap_is_near/return hpt_leap_is_near/
s/return rec->flags \& HPT_WALL_FLAG_SMEARED ? 0 : rec->leap/return rec->leap/
s/	int64_t by_ns = -leap_ns(rec);/	int64_t by_ns = leap_ns(rec);/
s/		begin_generation(rec, HPT_WALL_STATE_LEAP, now);/		;/
s/	if (is_sample_near_leap(rec, s)) {/	if (0) {/
s/	if (is_near \&\& !rules->covers_leap)/	if (is_near)/
s/		rec->read.generation += !was_covered;.*/		;/
s/rec->read.generation += !was_covered;/rec->read.generation++;/
