/* SPDX-License-Identifier: MIT */
/* The record of a wall on a counter of 1 GHz that is exactly right, with the system's clocks as the test moves them. */
#ifndef HPT_TEST_WALL_RECORD_WORLD_H
#define HPT_TEST_WALL_RECORD_WORLD_H

#include "unit.h"

#include <errno.h>
#include <string.h>

#include "wall/wall_record.h"

#define NS_PER_S  INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)
#define DAY_NS    (86400 * NS_PER_S)
#define START     UINT64_C(5000000000000)
/* 31 December 2025, noon. */
#define NOON      INT64_C(1767182400000000000)
#define MIDNIGHT  (NOON + DAY_NS / 2)

static struct hpt_wall_rules rules;
static struct hpt_wall_record rec;
static uint64_t now;
static int64_t raw_moved_ns, asleep_ns, utc_at_start;
static int64_t wall_ns; /* CLOCK_REALTIME less CLOCK_MONOTONIC; 0: not read */

static inline int64_t utc(void)
{
	return utc_at_start + (int64_t)(now - START);
}

static inline struct hpt_wall_look look_of(void)
{
	return (struct hpt_wall_look){
		.before = now, .after = now, .has_clocks = true, .raw_ns = (int64_t)(now - START) + raw_moved_ns,
		.asleep_lo_ns = asleep_ns, .asleep_hi_ns = asleep_ns + 100,
		.has_wall = wall_ns, .wall_lo_ns = wall_ns, .wall_hi_ns = wall_ns + 100,
	};
}

static inline uint32_t look(void)
{
	struct hpt_wall_look l = look_of();

	hpt_wall_record_look(&rec, &rules, &l);
	return hpt_wall_record_state(&rec);
}

static inline uint32_t look_after(int64_t ns)
{
	now += (uint64_t)ns;
	return look();
}

/* Sources by their number, from 1. */
#define NTH(source) (1u << ((source) - 1))

static inline struct hpt_wall_reading reading_of(uint32_t source, int64_t off_ns)
{
	return (struct hpt_wall_reading){
		.sample = { .before = (hpt_time_t)now, .after = (hpt_time_t)now, .earliest_ns = utc() - off_ns,
			    .latest_ns = utc() + off_ns, .source = NTH(source) },
	};
}

/* HPT_WALL_REASON_ */
static inline uint32_t why_refused(const struct hpt_wall_reading *r)
{
	look();
	return hpt_wall_record_add(&rec, &rules, r, now);
}

/* Returns the error that a program gets. */
static inline int add_reading(const struct hpt_wall_reading *r)
{
	uint32_t reason = why_refused(r);

	return !reason ? 0 : reason == HPT_WALL_REASON_CONTRADICTED || reason == HPT_WALL_REASON_LEAP ? -EAGAIN :
	       -ERANGE;
}

static inline void note_unsynced(uint32_t source)
{
	struct hpt_wall_reading r = { .sample.source = NTH(source) };

	hpt_wall_record_note_unsynced(&rec, &rules, &r);
}

static inline int add(uint32_t source, int64_t off_ns)
{
	struct hpt_wall_reading r = reading_of(source, off_ns);

	return add_reading(&r);
}

/* A lie by that much. */
static inline int lie(uint32_t source, int64_t by_ns)
{
	struct hpt_wall_reading r = reading_of(source, 1000);

	r.sample.earliest_ns += by_ns;
	r.sample.latest_ns += by_ns;
	return add_reading(&r);
}

static inline int add_leap(uint32_t source, enum hpt_wall_leap leap, int64_t at_ns)
{
	struct hpt_wall_reading r = reading_of(source, 1000);

	r.leap = leap;
	r.leap_at_ns = at_ns;
	return add_reading(&r);
}

/* Of a daemon whose clock is right, and so was what it measured, give or take off_ns. */
static inline struct hpt_wall_reading measured(uint64_t number, int64_t off_ns, int64_t age_ns)
{
	struct hpt_wall_reading r = reading_of(1, 0);

	r.events = rec.settle.events;
	r.n_measured = 1;
	r.measured[0] = (struct hpt_measured){
		.key = 1, .number = number, .off_lo_ns = -off_ns, .off_hi_ns = off_ns, .age_ns = age_ns,
	};
	return r;
}

static inline int64_t width_now(const struct hpt_bound_lines *lines)
{
	struct hpt_utc u = hpt_bound_at(lines, now);

	return u.hi_ns - u.lo_ns;
}

static inline void assert_bound_holds(void)
{
	struct hpt_utc u = hpt_bound_at(&rec.read.bound, now);

	assert_true(hpt_wall_record_serves(&rec));
	if (u.lo_ns > utc() || u.hi_ns < utc())
		fail_msg("[%lld, %lld] off UTC", (long long)(u.lo_ns - utc()), (long long)(u.hi_ns - utc()));
}

static inline int record_begins(void **state)
{
	struct hpt_scale one = { .whole = 1 };
	struct hpt_wall_look l;

	(void)state;
	now = START;
	raw_moved_ns = asleep_ns = wall_ns = 0;
	utc_at_start = NOON;
	rules = (struct hpt_wall_rules){
		.ns_per_tick = one, .tick_per_ns = one, .nominal = { one, one }, .step = 1, .step_ns = 1,
		.clock_ppb = 5000, .wander_ppb = 15000, .max_age_ns = 1000 * NS_PER_S,
	};
	rules.nominal = hpt_band_widened(&rules.nominal, 50000);
	l = look_of();
	hpt_wall_record_init(&rec, &rules, &l);
	return 0;
}

#define record_test(f) cmocka_unit_test_setup(f, record_begins)

#endif
