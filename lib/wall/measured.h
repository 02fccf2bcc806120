/* SPDX-License-Identifier: MIT */
/*
 * Measurements that a daemon made earlier, and what they mean for UTC now. They are about the daemon's own clock, which
 * is CLOCK_REALTIME and what it is about to slew that by. That clock has been wrong since another program set
 * CLOCK_REALTIME, and the daemon does not notice: until it has measured twice its measurements are in doubt.
 */
#ifndef HPT_MEASURED_H
#define HPT_MEASURED_H

#include <stdbool.h>
#include <stdint.h>

#include "math/scale.h"
#include "wall/wall_reading.h"

/* What is known of one of the daemon's sources. */
struct hpt_measured_known {
	uint64_t key, number;
	int64_t  off_ns;              /* the middle of off_lo_ns and off_hi_ns then */
	uint64_t doubts;              /* how many more have to come before one counts */
	int64_t  more_ns;             /* by which it may be wrong beyond what the daemon says */
	int64_t  next_more_ns;        /* by which the next one may, which may have been made before this one came */
};

/* What is known of a daemon, for a wall's record: words, all zeros before its first statement. */
struct hpt_measured_record {
	struct hpt_measured_known of[HPT_MEASURED_MOST];
	uint64_t is_known;            /* the next six are valid: of its latest statement */
	uint64_t asked;               /* the tick */
	int64_t  own_lo_ns, own_hi_ns; /* the daemon's clock */
	int64_t  pace_ppb;
	uint64_t is_unsynced;
	struct hpt_measured_events events; /* that were known when it was asked */
};

/* How fast the clocks run. */
struct hpt_measured_rates {
	struct hpt_scale ns_per_tick, tick_per_ns; /* of CLOCK_MONOTONIC_RAW */
	uint64_t error_ppb;           /* of these */
	struct hpt_band utc;          /* nanoseconds of UTC in a tick */
};

/* Takes note of a statement: which measurements are new, and which are in doubt. True: one is new. */
bool hpt_measured_note(struct hpt_measured_record *rec, const struct hpt_wall_reading *reading,
		       const struct hpt_measured_events *events, const struct hpt_measured_rates *rates);

/*
 * After hpt_measured_note() of the same statement: UTC at the sample's ticks by all measurements together. leap_at_ns:
 * a measurement from before it does not count after it; 0: no leap second. Returns HPT_WALL_REASON_NONE; CONTRADICTED
 * if they have nothing in common; or why no measurement counts: STEPPED, LEAP, NO_BOUND ...
 */
uint32_t hpt_measured_bound(const struct hpt_measured_record *rec, const struct hpt_wall_reading *reading,
			    const struct hpt_measured_rates *rates, int64_t leap_at_ns, struct hpt_utc *ret);

#endif
