/* SPDX-License-Identifier: MIT */
/* The map between a clock's ticks and Unix time. Pure arithmetic. */
#ifndef HPT_UNIX_TIME_H
#define HPT_UNIX_TIME_H

#include <stdint.h>

#include "math/scale.h"

/* One instant on both clocks, and the rate between them. */
struct hpt_unix_time {
	int64_t tick;                    /* at this tick ... */
	int64_t unix_ns;                 /* ... it was this Unix time */
	struct hpt_scale ns_per_tick;
	struct hpt_scale tick_per_ns;    /* by the clock's rate, for ticks since 1970 */
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

/* The Unix time of any tick in nanoseconds, rounded to nearest. It may exceed int64. */
struct hpt_wide hpt_unix_time_ns(const struct hpt_unix_time *map, int64_t t);

/*
 * The tick nearest to a Unix time. Returns -ERANGE and leaves *ret untouched if that tick exceeds int64. For
 * hpt_unix_time_ns(t) the result is t again if a tick takes a nanosecond or longer; else it is within half a nanosecond
 * and half a tick of t.
 */
int hpt_unix_time_tick(const struct hpt_unix_time *map, struct hpt_wide unix_ns, int64_t *ret);

/* Ticks since 1970, as if the clock had always run at this rate; -ERANGE, *ret untouched, if they exceed int64. */
int hpt_unix_time_ticks(const struct hpt_unix_time *map, int64_t t, int64_t *ret);

/* The tick nearest to `end` (INT64_MIN or INT64_MAX) whose Unix time in nanoseconds fits int64. */
int64_t hpt_unix_time_furthest(const struct hpt_unix_time *map, int64_t end);

#endif
