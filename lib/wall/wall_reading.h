/* SPDX-License-Identifier: MIT */
/* What a source gives a wall: a sample, and what it says beyond that. */
#ifndef HPT_WALL_READING_H
#define HPT_WALL_READING_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"
#include "hpt/wall.h"

#include "wall/band.h"

/* Times are of the years 1970 to 2224: see hpt_band_between(). */
#define HPT_WALL_MOST_NS INT64_C(8040000000000000000)

/* An interval that a record can take. */
static inline bool hpt_wall_is_plausible(int64_t earliest_ns, int64_t latest_ns)
{
	return earliest_ns >= 0 && latest_ns >= earliest_ns && latest_ns < HPT_WALL_MOST_NS;
}

enum hpt_wall_leap {
	HPT_WALL_LEAP_UNKNOWN, /* the source does not say */
	HPT_WALL_LEAP_ABSENT,
	HPT_WALL_LEAP_INSERTED, /* at the end of the UTC day of the sample, or at leap_at_ns */
	HPT_WALL_LEAP_LEFT_OUT,
};

/* Of each statement. */
#define HPT_MEASURED_MOST 8

/* What has happened to the clocks since the wall was opened. */
struct hpt_measured_events {
	uint64_t steps;               /* how often CLOCK_REALTIME was set */
	int64_t  step_lo_ns, step_hi_ns; /* the latest of them set it forward by an amount between the two */
	uint64_t voids;               /* events after which no earlier measurement counts */
};

/* What a daemon measured of one of its sources, and what of that it has corrected since: lib/wall/measured.h. */
struct hpt_measured {
	uint64_t key;                 /* of its source; never 0, and no other of the statement has it */
	uint64_t number;              /* another one for each measurement; 0: not measured yet */
	uint32_t reason;              /* HPT_WALL_REASON_: why it does not count */
	int64_t  off_lo_ns, off_hi_ns; /* UTC was ahead of the daemon's clock, as it is corrected since, by that */
	int64_t  moved_ns;            /* by which the daemon has corrected its clock since, forward */
	int64_t  age_ns;              /* at most, by the daemon's clock */
};

struct hpt_wall_reading {
	struct hpt_wall_sample sample; /* with n_measured: the daemon's clock at that moment */
	enum hpt_wall_leap leap;
	int64_t leap_at_ns;           /* 0: the end of the sample's day */
	int32_t tai_offset_s;         /* 0: the source does not say */
	uint64_t age_ticks;           /* stated this long before sample.before; void if there was an event since */
	int64_t settle_ns;            /* this long after a step of CLOCK_REALTIME the source does not know of it */
	bool has_rate;                /* rate is valid: how long a tick lasts, by the source */
	bool is_holdover;             /* the source has lost its own reference */
	struct hpt_band rate;
	uint32_t n_measured;          /* 0: the sample itself is the statement */
	bool has_more;                /* the daemon named as many sources as it was asked for */
	bool is_unsynced;             /* the daemon is not synchronised, and has corrected nothing yet */
	struct hpt_measured_events events; /* that were known before the daemon was asked */
	int64_t pace_ppb;             /* by which the daemon's clock runs faster than CLOCK_MONOTONIC_RAW */
	struct hpt_measured measured[HPT_MEASURED_MOST];
};

#endif
