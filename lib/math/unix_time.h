/* SPDX-License-Identifier: MIT */
/* The map between a clock's ticks and Unix time. Pure arithmetic. */
#ifndef HPT_UNIX_TIME_H
#define HPT_UNIX_TIME_H

#include <stdint.h>

#include "math/line.h"
#include "math/scale.h"

/* Unix time by ticks, and the clock's rate, which ticks since 1970 are counted by. */
struct hpt_unix_time {
	struct hpt_ray ray;
	struct hpt_scale tick_per_ns;
};

/* The Unix time of a record. Within its segment the slope may differ from the rate while it makes up for an error. */
struct hpt_unix_segment {
	int64_t start;
	uint64_t span;
	int64_t unix_ns, end_unix_ns;    /* at both ends of the segment */
	struct hpt_scale within, beyond; /* ns per tick inside and outside the segment */
	struct hpt_scale tick_per_ns;
};

/* The map that converts tick t. */
struct hpt_unix_time hpt_unix_time_for(const struct hpt_unix_segment *segment, int64_t t);

/* Ticks since 1970, as if the clock had always run at this rate; -ERANGE, *ret untouched, if they exceed int64. */
int hpt_unix_time_ticks(const struct hpt_unix_time *map, int64_t t, int64_t *ret);

/* The tick nearest to `end` (INT64_MIN or INT64_MAX) whose Unix time in nanoseconds fits int64. */
int64_t hpt_unix_time_furthest(const struct hpt_unix_time *map, int64_t end);

#endif
