/* SPDX-License-Identifier: MIT */
/* A thread that waits for a wall in the simulated world. */
#ifndef HPT_TEST_WALL_WAIT_WORLD_H
#define HPT_TEST_WALL_WAIT_WORLD_H

#include "wall_fakes.h"

#include "sleep/waiter.h"

#define WAIT_NS (5 * NS_PER_MS)

static hpt_waiter *waiter;

static inline int wait_begins(void **state)
{
	wall_begins(state);
	assert_int_equal(hpt_waiter_new(&clk, 0, &waiter), 0);
	feed(NS_PER_US);
	return 0;
}

static inline int wait_ends(void **state)
{
	assert_int_equal(wall_info().waiting, 0);
	assert_int_equal(hpt_eventcount_sleepers(hpt_bell(wall->bell)), 0);
	assert_int_equal(hpt_eventcount_sleepers(&waiter->eventcount), 0);
	hpt_waiter_free(waiter);
	return wall_ends(state);
}

#define wait_test(f) cmocka_unit_test_setup_teardown(f, wait_begins, wait_ends)

/* A time that is past in ns nanoseconds by the true time. */
static inline int64_t in_ns(int64_t ns)
{
	return utc_ns() + ns;
}

/* Earliest is past it, and was not two reads of the counter ago. */
static inline void assert_ended_on_time(int64_t unix_ns, int64_t late_most_ns)
{
	struct hpt_wall_time t = now_checked();

	if (t.earliest_ns <= unix_ns || t.earliest_ns > unix_ns + late_most_ns)
		fail_msg("earliest is %lld ns after the time", (long long)(t.earliest_ns - unix_ns));
}

static inline void feed_narrow(void)
{
	feed(0);
}

#endif
