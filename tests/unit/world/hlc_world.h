/* SPDX-License-Identifier: MIT */
/* A hybrid logical clock on a wall that is fed. */
#ifndef HPT_TEST_HLC_WORLD_H
#define HPT_TEST_HLC_WORLD_H

#include "wall_fakes.h"

#define AHEAD_NS 1000

static hpt_hlc *hlc;

static inline void new_hlc(int64_t max_ahead_ns)
{
	hpt_hlc_free(hlc);
	hlc = NULL;
	assert_int_equal(hpt_hlc_new(wall, max_ahead_ns, 0, &hlc), 0);
}

static inline int hlc_begins(void **state)
{
	wall_begins(state);
	feed(NS_PER_US);
	new_hlc(AHEAD_NS);
	return 0;
}

static inline int hlc_ends(void **state)
{
	hpt_hlc_free(hlc);
	hlc = NULL;
	return wall_ends(state);
}

#define hlc_test(f) cmocka_unit_test_setup_teardown(f, hlc_begins, hlc_ends)

static inline void stand_still(void)
{
	world.read_ps = 0;
}

/* latest_ns of now, which no read passes if the world stands still. */
static inline int64_t latest(void)
{
	return now_checked().latest_ns;
}

static inline void assert_now(int64_t expected)
{
	int64_t ns = 4711;

	assert_int_equal(hpt_hlc_now(hlc, &ns), 0);
	assert_int_equal(ns, expected);
}

static inline void assert_now_fails(int r)
{
	int64_t ns = 4711;

	assert_int_equal(hpt_hlc_now(hlc, &ns), r);
	assert_int_equal(ns, 4711);
}

static inline struct hpt_hlc_info info_of(void)
{
	struct hpt_hlc_info i;

	assert_int_equal(hpt_hlc_get_info(hlc, &i, sizeof(i)), 0);
	return i;
}

static inline uint64_t incarnation(void)
{
	return info_of().incarnation;
}

static inline void assert_receive(int64_t remote_ns, int64_t expected)
{
	int64_t ns = 4711;

	assert_int_equal(hpt_hlc_receive(hlc, remote_ns, &ns), 0);
	assert_int_equal(ns, expected);
}

static inline void assert_receive_fails(int64_t remote_ns, int r)
{
	int64_t ns = 4711;

	assert_int_equal(hpt_hlc_receive(hlc, remote_ns, &ns), r);
	assert_int_equal(ns, 4711);
}

#endif
