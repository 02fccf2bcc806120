/* SPDX-License-Identifier: MIT */
/*
 * A fake world with UTC in it, which CLOCK_REALTIME is off from; and questions to the sources that state by how much.
 */
#ifndef HPT_TEST_REALTIME_WORLD_H
#define HPT_TEST_REALTIME_WORLD_H

#include "clock_world.h"
#include "wall/realtime.h"

#define UTC_NS INT64_C(1700000000000000000)

static struct hpt_clock utc_clk;
static struct hpt_wall_config utc_config;
static uint32_t utc_expected; /* of a daemon's sources, as the question before found them */
static int64_t utc_ppb; /* UTC's seconds are shorter than the world's by this */

static inline int64_t utc_at(uint64_t ps)
{
	return UTC_NS + (int64_t)(ps / 1000) + (int64_t)(ps / 1000) * utc_ppb / PPB;
}

static inline int64_t utc_now(void)
{
	return utc_at(world.now_ps);
}

/* CLOCK_REALTIME becomes UTC and ahead_ns. */
static inline void set_realtime(int64_t ahead_ns)
{
	world.realtime_offset_ns += utc_now() + ahead_ns - fake_world_true_ns(CLOCK_REALTIME);
}

static inline void pass_ns(int64_t ns)
{
	world.now_ps += (uint64_t)ns * 1000;
}

/* After fake_env_setup(): a world begins. */
static inline void utc_begin(void)
{
	fake_env.clock_ns = fake_world_clock;
	new_clock(&utc_clk, 400);
	utc_config = (struct hpt_wall_config){ 0 };
	utc_ppb = 0;
	utc_expected = 0;
	pass_ns(10000000); /* the anchor is old enough for a first rate */
}

static inline struct hpt_wall_ask utc_ask(void)
{
	return (struct hpt_wall_ask){ .clk = &utc_clk, .config = &utc_config, .expected = utc_expected };
}

/* The moment at which the counter reached that tick. */
static inline uint64_t ps_of(hpt_time_t tick)
{
	return ((uint64_t)tick - world.tick_offset) * world.tick_ps;
}

/* UTC was in the interval at a moment from tick before to the end of tick after. */
static inline bool holds_utc(const struct hpt_wall_sample *s)
{
	return s->before <= s->after && utc_at(ps_of(s->after + 1)) >= s->earliest_ns &&
	       utc_at(ps_of(s->before)) <= s->latest_ns;
}

/* ---- Questions to a source ------------------------------------------------------------------------------------- */

static const struct hpt_wall_source_ops *utc_source;
static struct hpt_wall_reading reading; /* the latest */
static int ask_error;                   /* of the latest question */

/* Returns HPT_WALL_REASON_. */
static inline uint32_t ask(void)
{
	struct hpt_wall_ask a = utc_ask();
	uint32_t reason;

	reading = (struct hpt_wall_reading){ .leap = HPT_WALL_LEAP_UNKNOWN };
	reason = utc_source->ask(&a, &reading);
	ask_error = a.error;
	utc_expected = a.expected;
	return reason;
}

static inline void check_bound(uint32_t flags)
{
	assert_int_equal(ask(), HPT_WALL_REASON_NONE);
	assert_int_equal(ask_error, 0);
	assert_true(holds_utc(&reading.sample));
	assert_int_equal(reading.sample.flags, flags);
	assert_false(reading.has_rate);
	assert_int_equal(reading.leap_at_ns, 0);
}

/* error: of the call that fails; 0: none does. */
static inline void check_refused(uint32_t reason, int error)
{
	uint32_t found = ask();

	if (found != reason || ask_error != error)
		fail_msg("reason %u, error %d, not reason %u, error %d", found, ask_error, reason, error);
}

#endif
