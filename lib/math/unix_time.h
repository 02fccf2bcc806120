/* SPDX-License-Identifier: MIT */
/* The line between a clock's ticks and Unix time: pure arithmetic. */
#ifndef HPT_UNIX_TIME_H
#define HPT_UNIX_TIME_H

#include <stdint.h>

#include "math/scale.h"

/* One instant on both clocks, and the rate between them. */
struct hpt_unix_time {
	int64_t tick;                 /* this tick ... */
	int64_t unix_ns;              /* ... was this Unix time */
	struct hpt_scale ns_per_tick;
	struct hpt_scale tick_per_ns; /* of the clock's rate, for ticks since 1970 */
};

/* What a record knows: one line within its segment, which may bend to make up for an error, and its sequel on both sides. */
struct hpt_unix_segment {
	int64_t start;
	uint64_t span;
	int64_t unix_ns, end_unix_ns;   /* of both ends */
	struct hpt_scale within, beyond;
	struct hpt_scale tick_per_ns;
};

/* The one to convert t by. */
struct hpt_unix_time hpt_unix_time_for(const struct hpt_unix_segment *e, int64_t t);

/* Unix time in nanoseconds of any tick, rounded to nearest; it may not fit int64. */
struct hpt_wide hpt_unix_time_ns(const struct hpt_unix_time *e, int64_t t);

/*
 * The nearest tick of a Unix time; -ERANGE, *ret untouched, if int64 has none. Of hpt_unix_time_ns(t) this is t again
 * where a tick is a nanosecond or longer, else it is within half a nanosecond and half a tick of t.
 */
int hpt_unix_time_tick(const struct hpt_unix_time *e, struct hpt_wide unix_ns, int64_t *ret);

/* Ticks since 1970, if the clock had always run at this rate; -ERANGE, *ret untouched, if they do not fit. */
int hpt_unix_time_ticks(const struct hpt_unix_time *e, int64_t t, int64_t *ret);

/* The tick nearest to `end` (INT64_MIN or INT64_MAX) whose Unix time in nanoseconds fits int64. */
int64_t hpt_unix_time_furthest(const struct hpt_unix_time *e, int64_t end);

#endif
