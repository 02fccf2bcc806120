/* SPDX-License-Identifier: MIT */
/* A fake world in which daemons state time: a clock on its own counter, UTC, and a source that is asked. */
#ifndef HPT_TEST_DAEMON_WORLD_H
#define HPT_TEST_DAEMON_WORLD_H

#include "clock_world.h"
#include "wide.h"

#include "temp_folder.h"
#include "wall/wall_source.h"

#ifndef SECOND
#define SECOND INT64_C(1000000000)
#endif

static struct hpt_clock world_clk;
static struct hpt_env world_env;
static struct hpt_source_ops world_own;
static struct hpt_wall_config world_config;

/* UTC less CLOCK_REALTIME, and by how much CLOCK_MONOTONIC_RAW's second is longer than UTC's, since world_from_ps. */
static int64_t world_off_ns, world_ppb;
static uint64_t world_from_ps;

static inline int world_try_clock(clockid_t id, bool by_syscall, int64_t *ret_ns)
{
	(void)by_syscall;
	*ret_ns = fake_world_clock(id);
	return 0;
}

/* UTC at a moment of the world, if CLOCK_REALTIME was not set or slewed since. */
static inline int64_t world_utc_ns(uint64_t now_ps)
{
	int64_t since_ns = (int64_t)((now_ps - world_from_ps) / 1000);

	return (int64_t)(now_ps / 1000) + world.clock_offset_ns + world.realtime_offset_ns + world_off_ns +
	       wide_ratio_signed(world_ppb, (uint64_t)since_ns, 1000000000);
}

/* The moment at which the counter comes to a tick. */
static inline uint64_t world_ps_of(hpt_time_t tick)
{
	return ((uint64_t)tick - world.tick_offset) * world.tick_ps;
}

static inline uint64_t world_tick(void)
{
	return world.now_ps / world.tick_ps + world.tick_offset;
}

static inline void world_sleep(int64_t ns)
{
	world.now_ps += (uint64_t)ns * 1000;
}

/* 2.5 GHz. The clock has looked at the world's clocks. */
static inline int world_setup(void **state)
{
	struct hpt_record rec;

	fake_env_setup(state);
	temp_make();
	world_env = fake_env;
	world_env.try_clock = world_try_clock;
	fake_env_place("/var/run/clockbound/shm1", temp_path("shm1"));
	fake_env_place("/var/run/clockbound/shm0", temp_path("shm0"));
	fake_env_place("/run/fbclock/data_v2", temp_path("data"));
	fake_env_place("/proc/self/timens_offsets", temp_path("offsets"));
	world_config = (struct hpt_wall_config){ 0 };
	world_off_ns = world_ppb = 0;
	new_clock(&world_clk, 400);
	world_own = *world_clk.src.ops;
	world_own.id = HPT_SOURCE_OWN;
	world_clk.src.ops = &world_own;
	world_clk.src.env = &world_env;
	hpt_timekeeper_current(&world_clk, &rec);
	world_sleep(SECOND);
	world_from_ps = world.now_ps;
	return 0;
}

static const volatile void *world_page; /* VMClock's */

/* Asks the source. Returns HPT_WALL_REASON_; *ret is as before if it is not NONE. */
static inline uint32_t world_ask(const struct hpt_wall_source_ops *ops, struct hpt_wall_reading *ret)
{
	struct hpt_wall_ask ask = { .clk = &world_clk, .config = &world_config, .vmclock = world_page };
	struct hpt_wall_reading reading = { .leap = HPT_WALL_LEAP_UNKNOWN };
	uint32_t reason = ops->ask(&ask, &reading);

	if (reason)
		return reason;
	assert_int_equal(ask.error, 0);
	*ret = reading;
	return HPT_WALL_REASON_NONE;
}

/* True if at some moment of the sample's window UTC was in its interval. */
static inline bool world_holds(const struct hpt_wall_sample *s)
{
	int64_t first_ns = world_utc_ns(world_ps_of(s->before));
	int64_t last_ns = world_utc_ns(world_ps_of(s->after) + world.tick_ps);

	return s->earliest_ns <= last_ns && s->latest_ns >= first_ns;
}

#endif
