/* SPDX-License-Identifier: MIT */
/* A ticker in a simulated world: for the tests of its ticks and of its descriptor. */
#ifndef HPT_TEST_TICKER_WORLD_H
#define HPT_TEST_TICKER_WORLD_H

#include "object_world.h"

/*
 * The difference allowed between a time on the timeline and the test's own reads, any of which may sample the clocks.
 */
#define OPEN_NS 2000

#define PERIOD_NS (10 * NS_PER_MS)

static hpt_ticker *t;

/* When the ticker was made, within OPEN_NS. */
static int64_t start_ns, ticker_period_ns;

static inline void new_ticker(int64_t period_ns)
{
	hpt_ticker_free(t);
	ticker_period_ns = period_ns;
	start_ns = hpt_now_ns(&clk);
	assert_int_equal(hpt_ticker_new(&clk, period_ns, 0, &t), 0);
}

static inline int ticker_begins(void **state)
{
	sleeping_begins(state);
	t = NULL;
	new_ticker(PERIOD_NS);
	return 0;
}

static inline int ticker_ends(void **state)
{
	hpt_ticker_free(t);
	return sleeping_ends(state);
}

#define ticker_test(f) cmocka_unit_test_setup_teardown(f, ticker_begins, ticker_ends)

static inline void pass_ns(int64_t ns)
{
	pass((uint64_t)ns * 1000);
}

static inline void interrupt(void)
{
	assert_int_equal(hpt_ticker_interrupt(t), 0);
}

/* Waits, and returns on tick n or late_ns after it. */
static inline void expect_tick(int64_t n, int64_t late_ns, uint64_t missed)
{
	uint64_t seen = UINT64_MAX;

	assert_int_equal(hpt_ticker_wait(t, &seen), 0);
	assert_int_equal(seen, missed);
	assert_in_range(hpt_now_ns(&clk) - (start_ns + n * PERIOD_NS), late_ns, late_ns + OPEN_NS);
}

static inline void counter_jumps(void)
{
	world.tick_offset += UINT64_C(100000000000000);
}

static int64_t namespace_ns;

/* A child forked into a time namespace: its CLOCK_MONOTONIC has an offset, the wall clock and the counter have none. */
static inline void enter_namespace(void)
{
	world.clock_offset_ns += namespace_ns;
	world.realtime_offset_ns -= namespace_ns;
}

/* The world's own time, which nothing moves, at tick n. */
static uint64_t made_ps;

static inline void new_placed_ticker(void)
{
	sleeping_begins(NULL);
	made_ps = world.now_ps;
	new_ticker(PERIOD_NS);
}

#endif
