// SPDX-License-Identifier: MIT
/*
 * Waits for a wall in the simulated world: a commit wait ends at the first tick at which UTC is surely after the time,
 * never before, by the samples that come meanwhile too; a wait for a bound ends with the sample that makes it.
 */
#include "wall_wait_world.h"

/* ---- The end ----------------------------------------------------------------------------------------------------- */

static void wait_ends_at_the_first_tick_after_the_time(void **state)
{
	static const int64_t waits_ns[] = { 0, 1, 100, 3000, 50000, NS_PER_MS, WAIT_NS, 9999999, 10 * NS_PER_MS,
					    10000001, 50 * NS_PER_MS, 3 * NS_PER_S };

	(void)state;
	for (size_t i = 0; i < COUNT(waits_ns); i++) {
		int64_t unix_ns = in_ns(waits_ns[i]);

		assert_int_equal(hpt_wall_wait_after(wall, unix_ns, INT64_MAX), 0);
		assert_ended_on_time(unix_ns, 200);
		unix_ns = in_ns(waits_ns[i]);
		assert_int_equal(hpt_wall_wait_after_on(wall, waiter, unix_ns, INT64_MAX), 0);
		assert_ended_on_time(unix_ns, 200);
		feed(NS_PER_US);
	}
}

/* In a world where reads take no time the end is the very tick. */
static uint64_t fine_read(const struct hpt_source *src)
{
	world.now_ps += 400;
	return sleeping.read(src);
}

static void no_tick_before_would_have_done(void **state)
{
	(void)state;
	world.read_ps = 0;
	clk.src.read = fine_read;
	for (int i = 0; i < 50; i++) {
		int64_t unix_ns = in_ns(20000 + i * 997);
		struct hpt_wall_time t, before;

		assert_int_equal(hpt_wall_wait_after(wall, unix_ns, INT64_MAX), 0);
		assert_int_equal(hpt_wall_now(wall, &t), 0);
		assert_true(t.earliest_ns > unix_ns);
		/* The loop of the spin reads each 75 ns or so. */
		assert_int_equal(hpt_wall_at(wall, t.tick - 400, &before), 0);
		assert_true(before.earliest_ns <= unix_ns);
	}
}

static void past_times_end_at_once(void **state)
{
	uint64_t start = world.now_ps;

	(void)state;
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(-10000), INT64_MAX), 0);
	assert_int_equal(hpt_wall_wait_after(wall, INT64_MIN, 0), 0);
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(-10000), 0), 0);
	assert_true(world.now_ps - start < 1000000);
	assert_int_equal(sleeping.waits, 0);
}

/* ---- Time-outs --------------------------------------------------------------------------------------------------- */

static void time_out_of_zero_is_one_look(void **state)
{
	uint64_t start = world.now_ps;

	(void)state;
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), 0), -ETIMEDOUT);
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(WAIT_NS), 0), -ETIMEDOUT);
	assert_int_equal(hpt_wall_wait_ready(wall, 1, 0), -ETIMEDOUT);
	assert_int_equal(hpt_wall_wait_ready(wall, 0, 0), 0);
	assert_true(world.now_ps - start < 1000000);
	assert_int_equal(sleeping.waits, 0);
}

static void time_itself_is_not_after_it(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	world.read_ps = 0;
	t = now_checked();
	assert_int_equal(hpt_wall_wait_after(wall, t.earliest_ns, 0), -ETIMEDOUT);
	assert_int_equal(hpt_wall_wait_after(wall, t.earliest_ns - 1, 0), 0);
}

static void time_out_is_never_early(void **state)
{
	static const int64_t timeouts_ns[] = { 1, 100, 20000, WAIT_NS, 100 * NS_PER_MS, 2 * NS_PER_S };

	(void)state;
	for (size_t i = 0; i < COUNT(timeouts_ns); i++) {
		uint64_t start = world.now_ps;

		assert_int_equal(hpt_wall_wait_after(wall, in_ns(60 * NS_PER_S), timeouts_ns[i]), -ETIMEDOUT);
		assert_in_range((int64_t)(world.now_ps - start) / 1000, timeouts_ns[i], timeouts_ns[i] + 2000);
		start = world.now_ps;
		assert_int_equal(hpt_wall_wait_after_on(wall, waiter, in_ns(60 * NS_PER_S), timeouts_ns[i]),
				 -ETIMEDOUT);
		assert_in_range((int64_t)(world.now_ps - start) / 1000, timeouts_ns[i], timeouts_ns[i] + 2000);
		start = world.now_ps;
		assert_int_equal(hpt_wall_wait_ready(wall, 1, timeouts_ns[i]), -ETIMEDOUT);
		assert_in_range((int64_t)(world.now_ps - start) / 1000, timeouts_ns[i], timeouts_ns[i] + 2000);
	}
}

static void long_time_out_does_not_wrap(void **state)
{
	(void)state;
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), INT64_MAX), 0);
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), INT64_MAX - 1), 0);
}

/* At the same moment the time is past, and the time-out over: it is past. */
static void time_wins_over_the_time_out(void **state)
{
	int64_t unix_ns = in_ns(WAIT_NS);

	(void)state;
	assert_int_equal(hpt_wall_wait_after(wall, unix_ns, WAIT_NS + 1300), 0);
	assert_ended_on_time(unix_ns, 1000);
}

/* ---- Samples during the wait ------------------------------------------------------------------------------------- */

static void feed_wide(void)
{
	feed(NS_PER_MS);
}

/* A narrower interval has a later earliest: the wait ends sooner. */
static void sample_makes_the_end_sooner(void **state)
{
	int64_t unix_ns;

	(void)state;
	wall_begins(state);
	feed(3 * NS_PER_MS);
	unix_ns = in_ns(WAIT_NS);
	happens_after(WAIT_NS / 2, feed_narrow);
	assert_int_equal(hpt_wall_wait_after(wall, unix_ns, INT64_MAX), 0);
	assert_true(sleeping.in_wait);
	assert_int_equal(sleeping.wakes, 1);
	assert_ended_on_time(unix_ns, 200);
	assert_true(utc_ns() < unix_ns + 1000);
}

static void sample_that_says_nothing_changes_nothing(void **state)
{
	int64_t unix_ns = in_ns(WAIT_NS);

	(void)state;
	happens_after(WAIT_NS / 2, feed_wide);
	assert_int_equal(hpt_wall_wait_after(wall, unix_ns, INT64_MAX), 0);
	assert_ended_on_time(unix_ns, 200);
	unix_ns = in_ns(WAIT_NS);
	happens_after(WAIT_NS - 20000, feed_wide); /* during the spin */
	assert_int_equal(hpt_wall_wait_after_on(wall, waiter, unix_ns, INT64_MAX), 0);
	assert_false(sleeping.in_wait);
	assert_ended_on_time(unix_ns, 200);
}

static uint32_t waiting_seen;

static void see_waiting(void)
{
	waiting_seen = wall_info().waiting;
}

static void threads_that_wait_are_counted(void **state)
{
	(void)state;
	happens_after(WAIT_NS / 2, see_waiting);
	assert_int_equal(hpt_wall_wait_after(wall, in_ns(WAIT_NS), INT64_MAX), 0);
	assert_int_equal(waiting_seen, 1);
	assert_int_equal(wall_info().waiting, 0);
}

/* ---- Ready ------------------------------------------------------------------------------------------------------- */

static void wait_for_the_first_sample(void **state)
{
	uint64_t start;

	(void)state;
	wall_begins(state);
	start = world.now_ps;
	happens_after(WAIT_NS, feed_narrow);
	assert_int_equal(hpt_wall_wait_ready(wall, 0, INT64_MAX), 0);
	assert_in_range((int64_t)(world.now_ps - start) / 1000, WAIT_NS, WAIT_NS + 50000);
	assert_int_equal(hpt_wall_wait_ready(wall, 0, 0), 0);
}

static void wait_for_a_narrow_one(void **state)
{
	(void)state;
	assert_int_equal(hpt_wall_wait_ready(wall, 3 * NS_PER_US, 0), 0);
	assert_int_equal(hpt_wall_wait_ready(wall, 1999, WAIT_NS), -ETIMEDOUT);
	happens_after(WAIT_NS, feed_wide);
	assert_int_equal(hpt_wall_wait_ready(wall, 1999, 2 * WAIT_NS), -ETIMEDOUT);
	happens_after(WAIT_NS, feed_narrow);
	assert_int_equal(hpt_wall_wait_ready(wall, 1999, INT64_MAX), 0);
}

/* ---- Arguments --------------------------------------------------------------------------------------------------- */

static void waiter_must_be_on_the_same_clock(void **state)
{
	hpt_waiter *other = NULL;
	hpt_clock *os = NULL;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(hpt_waiter_new(os, 0, &other), 0);
	assert_int_equal(hpt_wall_wait_after_on(wall, other, 0, INT64_MAX), -EINVAL);
	assert_int_equal(hpt_wall_wait_after_on(wall, NULL, 0, INT64_MAX), -EINVAL);
	assert_int_equal(hpt_wall_wait_after_on(NULL, waiter, 0, INT64_MAX), -EINVAL);
	assert_int_equal(hpt_wall_wait_after(NULL, 0, INT64_MAX), -EINVAL);
	assert_int_equal(hpt_wall_wait_ready(NULL, 0, INT64_MAX), -EINVAL);
	assert_int_equal(hpt_wall_wait_ready(wall, -1, INT64_MAX), -EINVAL);
	assert_int_equal(hpt_waiter_sleep_ns(waiter, 1), 0);
	hpt_waiter_free(other);
	hpt_clock_close(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		wait_test(wait_ends_at_the_first_tick_after_the_time),
		wait_test(no_tick_before_would_have_done),
		wait_test(past_times_end_at_once),
		wait_test(time_out_of_zero_is_one_look),
		wait_test(time_itself_is_not_after_it),
		wait_test(time_out_is_never_early),
		wait_test(long_time_out_does_not_wrap),
		wait_test(time_wins_over_the_time_out),
		wait_test(sample_makes_the_end_sooner),
		wait_test(sample_that_says_nothing_changes_nothing),
		wait_test(threads_that_wait_are_counted),
		wait_test(waiter_must_be_on_the_same_clock),
		wait_test(wait_for_the_first_sample),
		wait_test(wait_for_a_narrow_one),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("wall_wait", tests, NULL, NULL);
}
