/* SPDX-License-Identifier: MIT */
/* A wall on the clock of the simulated world, whose UTC is known, and samples of it. */
#ifndef HPT_TEST_WALL_FAKES_H
#define HPT_TEST_WALL_FAKES_H

#include "object_world.h"

#include "source/os.h"
#include "wall/wall_keeper.h"

#define UTC_AT_0_NS INT64_C(1750000000000000000)
#define NS_PER_US   INT64_C(1000)
#define FEED_BIT    HPT_WALL_SOURCE_FEED

static hpt_wall *wall;
static int64_t utc_moved_ns; /* UTC less what it began as: a leap second moves Unix time */

/* Rounded down. */
static inline int64_t utc_ns(void)
{
	return UTC_AT_0_NS + utc_moved_ns + (int64_t)(world.now_ps / 1000);
}

/* An honest sample: UTC is `off_ns` or less from the middle. */
static inline struct hpt_wall_sample sample_of(int64_t off_ns)
{
	struct hpt_wall_sample s = { .source = HPT_WALL_SOURCE_FEED };

	s.before = hpt_now(&clk);
	s.earliest_ns = utc_ns() - off_ns;
	s.latest_ns = utc_ns() + 1 + off_ns;
	s.after = hpt_now(&clk);
	return s;
}

static inline void feed(int64_t off_ns)
{
	struct hpt_wall_sample s = sample_of(off_ns);

	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), 0);
}

static inline struct hpt_wall_info wall_info(void)
{
	struct hpt_wall_info i;

	assert_int_equal(hpt_wall_get_info(wall, &i, sizeof(i)), 0);
	return i;
}

static inline struct hpt_wall_source_info source_info(uint32_t source)
{
	struct hpt_wall_source_info i;

	assert_int_equal(hpt_wall_source_get_info(wall, source, &i, sizeof(i)), 0);
	return i;
}

/* A config that uses the program's samples alone. */
static inline struct hpt_wall_config config_of_feed(void)
{
	return (struct hpt_wall_config){ .sources = FEED_BIT };
}

static inline void open_as(const struct hpt_wall_config *c, uint32_t flags)
{
	hpt_wall_close(wall);
	wall = NULL;
	assert_int_equal(hpt_wall_open(&clk, c, sizeof(*c), flags, &wall), 0);
}

static inline int wall_begins(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	static struct hpt_env fresh;

	hpt_wall_close(wall); /* a test may begin again */
	wall = NULL;
	if (!fresh.cpuid)
		fresh = fake_env;
	fake_env = fresh;
	fake_env_reset();
	fake_env.clock_ns = fake_world_clock;
	sleeping_begins(state);
	utc_moved_ns = 0;
	open_as(&c, 0);
	return 0;
}

static inline int wall_ends(void **state)
{
	hpt_wall_close(wall);
	wall = NULL;
	return sleeping_ends(state);
}

/* UTC at some moment of the call is in the interval. */
static inline struct hpt_wall_time now_checked(void)
{
	int64_t before = utc_ns(), after;
	struct hpt_wall_time t = { 0 };

	assert_int_equal(hpt_wall_now(wall, &t), 0);
	after = utc_ns() + 1;
	if (t.earliest_ns > after || t.latest_ns < before || t.earliest_ns > t.latest_ns)
		fail_msg("[%lld, %lld] without [%lld, %lld]", (long long)t.earliest_ns, (long long)t.latest_ns,
			 (long long)before, (long long)after);
	return t;
}

static inline void assert_wall_state(uint32_t state)
{
	assert_int_equal(wall_info().state, state);
}

static inline uint64_t os_counter(const struct hpt_source *src)
{
	int saved = errno;
	uint64_t ns = (uint64_t)src->clock_ns(CLOCK_MONOTONIC);

	errno = saved;
	return ns;
}

/* After wall_begins(): a wall on the OS clock. That is slewed by bend_ppb, so the wall counts CLOCK_MONOTONIC_RAW. */
static inline void open_on_the_os_clock(int64_t bend_ppb)
{
	struct hpt_wall_config c = config_of_feed();

	new_clock(1000);
	clk.src.read = clk.src.read_unordered = os_counter;
	clk.src.ops = &hpt_source_os;
	clk.src.rate = (struct hpt_rate){ 1, 1, HPT_UHZ_PER_GHZ, 0, HPT_ORIGIN_EXACT, false };
	hpt_read_set(&clk);
	fake_world_slew(&world.wall, bend_ppb);
	errno = EXDEV; /* as wall_begins() set it */
	open_as(&c, 0);
	assert_true(wall->counts_raw);
}

#define wall_test(f) cmocka_unit_test_setup_teardown(f, wall_begins, wall_ends)

#endif
