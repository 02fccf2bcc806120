/* SPDX-License-Identifier: MIT */
/*
 * Leap seconds of a wall: the one that is announced, the latest that is past, and how far TAI is off UTC. Pure
 * functions.
 */
#ifndef HPT_LEAP_H
#define HPT_LEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "math/units.h"
#include "wall/bound.h"
#include "wall/wall_reading.h"

struct hpt_leap {
	int64_t  at_ns;               /* a midnight; 0: none is announced */
	int64_t  sign;                /* 1: a second is inserted, -1: left out; 0: none is announced */
	int64_t  passed_ns;           /* at_ns of the latest one that is past; 0: none */
	uint64_t source;              /* that announced it */
	int64_t  tai_offset_s;        /* TAI less UTC; 0: unknown */
	int64_t  tai_at_ns;           /* UTC when it was stated */
	uint64_t is_covered;          /* LEAP_COVER: the bound has a second more. 1: in lo, 2: in hi; 0: neither */
};

/* TAI less UTC has been 10 s or more since 1972, and grows by a second in years. */
#define HPT_LEAP_TAI_LEAST_S 10
#define HPT_LEAP_TAI_MOST_S  255

static inline bool hpt_leap_is_tai_offset(int64_t s)
{
	return s >= HPT_LEAP_TAI_LEAST_S && s <= HPT_LEAP_TAI_MOST_S;
}

/* The midnight that begins the UTC month of a Unix time, or one `months` later. */
int64_t hpt_leap_month_ns(int64_t unix_ns, uint32_t months);

/* Sources round a leap second by different rules up to this time before and after it. */
#define HPT_LEAP_NEAR_NS NS_PER_S

/*
 * Notes what a source says. bound_latest_ns: where the wall's bound ends now; INT64_MIN: it has none. True: the source
 * says it too late, because the bound may be from before that leap second or from after it.
 */
bool hpt_leap_note(struct hpt_leap *leap, const struct hpt_wall_reading *reading, int64_t bound_latest_ns);

/* The announced one is past. */
void hpt_leap_pass(struct hpt_leap *leap);

/* True if UTC, which is in that interval, is surely past the announced one. */
bool hpt_leap_is_past(const struct hpt_leap *leap, struct hpt_utc utc);

/* True if UTC is, perhaps, near the announced one. */
bool hpt_leap_is_near(const struct hpt_leap *leap, struct hpt_utc utc);

/* The bound contains both readings of Unix time. uncover() is true if it did. */
void hpt_leap_cover(struct hpt_leap *leap, struct hpt_bound_lines *bound);
bool hpt_leap_uncover(struct hpt_leap *leap, struct hpt_bound_lines *bound);

/* TAI less UTC at a Unix time. 0; -ENODATA: it is not known for that time. */
int hpt_leap_tai_offset(const struct hpt_leap *leap, int64_t unix_ns, int64_t *ret_s);

#endif
