/* SPDX-License-Identifier: MIT */
/*
 * What "hpt wall --publish" states in ClockBound's shared memory, made of what a wall knows. Pure.
 *
 * ClockBound's libraries make an interval of it: compute_bound_at() of clock-bound-shm 2.0.3 (src/lib.rs), and
 * compute_bound_at_tsc() of clock-bound 3.0.0-rc.0 (src/shm.rs). It contains UTC from the statement on until
 * void_after, if the wall's own does, the counter is not disrupted, and, for version 2, CLOCK_REALTIME is not set
 * meanwhile.
 */
#ifndef HPT_TOOLS_WALL_STATEMENT_H
#define HPT_TOOLS_WALL_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hpt/hpt.h"
#include "hpt/wall.h"

#include "wall/clockbound_layout.h"

/* These ticks last ticks_ns: on 64 GHz 2^44 ns, and on 200 kHz less than 2^63. */
#define WALL_FACTS_TICKS (INT64_C(1) << 50)

/* How old a wall's latest sample may be: hpt_wall_config.max_age_ns of a wall that publishes. */
#define WALL_FACTS_MAX_AGE_NS (1000 * INT64_C(1000000000))

/* A wall at one moment. */
struct wall_facts {
	uint32_t state;                 /* HPT_WALL_STATE_: SYNCED and HOLDOVER have a bound */
	struct hpt_wall_time time;      /* valid with a bound */
	int64_t ahead_min_ns, ahead_max_ns; /* likewise: CLOCK_REALTIME less UTC is between the two */
	struct hpt_wall_info info;      /* of the same generation as time */
	hpt_time_t tick;                /* of about now, as the next two */
	int64_t unix_ns;                /* CLOCK_REALTIME */
	int64_t mono_ns;                /* CLOCK_MONOTONIC_COARSE, a step of it before the look at CLOCK_REALTIME */
	int64_t ticks_ns;               /* how long WALL_FACTS_TICKS last by the clock's own rate; 0: not known */
	bool has_marker;                /* the wall watches VMClock */
	uint64_t marker;                /* VMClock's before and after the look */
	bool is_last;                   /* nobody will renew the statement */
};

static inline bool wall_state_has_bound(uint32_t state)
{
	return state == HPT_WALL_STATE_SYNCED || state == HPT_WALL_STATE_HOLDOVER;
}

struct wall_statement {
	uint32_t version;               /* 2 or 3 */
	uint32_t status;                /* HPT_CLOCKBOUND_UNKNOWN ... */
	int64_t as_of_ns, void_after_ns; /* 2: CLOCK_MONOTONIC_COARSE; 3: UTC */
	int64_t bound_ns;
	uint32_t drift_ppb;
	bool has_marker;
	uint64_t marker;
	/* Of version 3 alone: a tick lasts period / 2^(64 + period_shift) seconds. */
	uint64_t as_of_tick;
	uint64_t period;
	uint32_t period_shift;
};

struct wall_statement wall_statement_of(const struct wall_facts *facts, uint32_t version);

/* Writes the whole segment, and returns its size. generation: even and not 0. */
size_t wall_statement_bytes(const struct wall_statement *s, uint16_t generation,
			    unsigned char ret[HPT_CLOCKBOUND_V3_SIZE]);

#endif
