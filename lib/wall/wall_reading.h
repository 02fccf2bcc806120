/* SPDX-License-Identifier: MIT */
/* What a source gives a wall: a sample, and what it says beyond that. */
#ifndef HPT_WALL_READING_H
#define HPT_WALL_READING_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "wall/band.h"

enum hpt_wall_leap {
	HPT_WALL_LEAP_UNKNOWN, /* the source does not say */
	HPT_WALL_LEAP_ABSENT,
	HPT_WALL_LEAP_INSERTED, /* at the end of the UTC day of the sample, or at leap_at_ns */
	HPT_WALL_LEAP_LEFT_OUT,
};

struct hpt_wall_reading {
	struct hpt_wall_sample sample;
	enum hpt_wall_leap leap;
	int64_t leap_at_ns;           /* 0: the end of the sample's day */
	int32_t tai_offset_s;         /* 0: the source does not say */
	uint64_t age_ticks;           /* stated this long before sample.before; void if there was an event since */
	int64_t settle_ns;            /* this long after a step of CLOCK_REALTIME the source does not know of it */
	int64_t updated_ns;           /* what the source goes by was last renewed then; 0: the source does not say */
	bool has_rate;                /* rate is valid: how long a tick lasts, by the source */
	bool is_holdover;             /* the source has lost its own reference */
	struct hpt_band rate;
};

#endif
