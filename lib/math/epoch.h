/* SPDX-License-Identifier: MIT */
/* The line between a clock's ticks and Unix time: pure arithmetic. */
#ifndef HPT_EPOCH_H
#define HPT_EPOCH_H

#include <stdint.h>

#include "math/scale.h"

/* One instant on both clocks, and the rate between them. */
struct hpt_epoch {
	int64_t tick;                 /* this tick ... */
	int64_t unix_ns;              /* ... was this Unix time */
	struct hpt_scale ns_per_tick;
	struct hpt_scale tick_per_ns; /* of the clock's rate, for ticks since 1970 */
};

/* What a record knows: one line within its segment, which may bend to make up for an error, and its sequel on both sides. */
struct hpt_epochs {
	int64_t start;
	uint64_t span;
	int64_t unix_ns, end_unix_ns;   /* of both ends */
	struct hpt_scale within, beyond;
	struct hpt_scale tick_per_ns;
};

/* The one to convert t by. */
struct hpt_epoch hpt_epoch_for(const struct hpt_epochs *e, int64_t t);

/* Unix time in nanoseconds of any tick, rounded to nearest; it may not fit int64. */
struct hpt_wide hpt_epoch_unix_ns(const struct hpt_epoch *e, int64_t t);

/*
 * The nearest tick of a Unix time; -ERANGE, *ret untouched, if int64 has none. Of hpt_epoch_unix_ns(t) this is t again
 * where a tick is a nanosecond or longer, else it is within half a nanosecond and half a tick of t.
 */
int hpt_epoch_tick(const struct hpt_epoch *e, struct hpt_wide unix_ns, int64_t *ret);

/* Ticks since 1970, if the clock had always run at this rate; -ERANGE, *ret untouched, if they do not fit. */
int hpt_epoch_unix_ticks(const struct hpt_epoch *e, int64_t t, int64_t *ret);

/* The tick nearest to `end` (INT64_MIN or INT64_MAX) whose Unix time in nanoseconds fits int64. */
int64_t hpt_epoch_furthest(const struct hpt_epoch *e, int64_t end);

#endif
