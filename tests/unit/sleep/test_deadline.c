// SPDX-License-Identifier: MIT
/* Deadlines in ticks: past ones, durations that are empty or too long, and the moment that a duration starts from. */
#include "sleep_world.h"

static void past_deadlines_return_at_once(void **state)
{
	hpt_time_t now;
	uint64_t before_ps;
	uint32_t clock_reads;

	(void)state;
	begin();
	now = hpt_now(&clk);
	before_ps = world.now_ps;
	clock_reads = world.clock_reads;
	for (int i = 0; i < 100; i++) {
		static const hpt_time_t back[] = { 0, 1, 1000000000 };

		assert_int_equal(slept(hpt_sleep_until_ticks(&clk, now - back[i % 3])), 0);
		assert_int_equal(slept(hpt_sleep_until_ticks(&clk, INT64_MIN)), 0);
	}
	assert_nothing_asked();
	assert_int_equal(world.clock_reads, clock_reads);
	assert_true(world.now_ps - before_ps <= 200 * 2 * world.read_ps);
	assert_int_equal(slept(hpt_sleep_until_ns(&clk, hpt_now_ns(&clk))), 0);
	assert_int_equal(slept(hpt_sleep_until_ns(&clk, 0)), 0);
	assert_int_equal(slept(hpt_sleep_until_ns(&clk, INT64_MIN)), 0);
	assert_int_equal(slept(hpt_sleep_until_unix_ns(&clk, hpt_now_unix_ns(&clk))), 0);
	assert_int_equal(slept(hpt_sleep_until_unix_ns(&clk, 0)), 0);
	assert_int_equal(slept(hpt_sleep_until_unix_ns(&clk, INT64_MIN)), 0);
	assert_nothing_asked();
	assert_true(world.now_ps - before_ps <= PS_PER_MS);
}

static void durations_of_nothing_return_at_once(void **state)
{
	static const int64_t nothing[] = { 0, -1, -1000000000, INT64_MIN };
	uint64_t before_ps;

	(void)state;
	begin();
	before_ps = world.now_ps;
	for (size_t i = 0; i < COUNT(nothing); i++) {
		assert_int_equal(slept(hpt_sleep_ns(&clk, nothing[i])), 0);
	}
	assert_nothing_asked();
	assert_true(world.now_ps - before_ps <= 4 * 2 * world.read_ps);
}

/* A counter that reaches INT64_MAX in 3 s. */
static void durations_beyond_the_clocks_range_end_with_it(void **state)
{
	uint64_t before_ps;

	(void)state;
	begin();
	world.tick_offset += INT64_MAX - (uint64_t)hpt_now(&clk) - 3 * PS_PER_S / world.tick_ps;
	hpt_clock_check(&clk, NULL);
	before_ps = world.now_ps;
	assert_int_equal(slept(hpt_sleep_ns(&clk, INT64_MAX)), 0);
	assert_in_range(world.now_ps - before_ps, 3 * PS_PER_S - PS_PER_MS, 3 * PS_PER_S + PS_PER_MS);
}

/* The first sleep on a clock makes the first record, which takes a millisecond: that is a part of the duration. */
static void first_sleep_on_a_clock_is_no_longer(void **state)
{
	(void)state;
	for (int64_t ns = 1200 * NS_PER_US; ns < NS_PER_S; ns *= 3) {
		uint64_t before_ps;

		fake_env_reset();
		fake_kernel_reset();
		new_clock(400);
		before_ps = world.now_ps;
		assert_int_equal(slept(hpt_sleep_ns(&clk, ns)), 0);
		assert_in_range(world.now_ps - before_ps, ns * 1000, (ns + 100 * NS_PER_US) * 1000);
	}
}

/* A duration counts from the call, even if a preemption delays the computing of its deadline. */
static void preempted_before_it_waits_a_sleep_is_no_longer(void **state)
{
	(void)state;
	preemption_ns = NS_PER_MS;
	for (int64_t after_ns = 10; after_ns < 200; after_ns += 5) {
		int64_t before_ns;

		begin();
		train();
		before_ns = hpt_now_ns(&clk);
		set_event(after_ns, preempt);
		assert_int_equal(slept(hpt_sleep_ns(&clk, 20 * NS_PER_MS)), 0);
		assert_in_range(hpt_now_ns(&clk) - before_ns, 20 * NS_PER_MS, 20 * NS_PER_MS + NS_PER_US);
	}
}

static void duration_begins_with_the_first_tick_unless_the_counter_jumped(void **state)
{
	(void)state;
	assert_int_equal(hpt_deadline_from(1000, 1000), 1000);
	assert_int_equal(hpt_deadline_from(1000, 1000 + 65535), 1000);
	assert_int_equal(hpt_deadline_from(1000, 1000 + 65536), 1000 + 65536);
	assert_int_equal(hpt_deadline_from(1000, 999), 999);
	assert_int_equal(hpt_deadline_from(0, 50), 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(past_deadlines_return_at_once),
		cmocka_unit_test(durations_of_nothing_return_at_once),
		cmocka_unit_test(durations_beyond_the_clocks_range_end_with_it),
		cmocka_unit_test(first_sleep_on_a_clock_is_no_longer),
		cmocka_unit_test(preempted_before_it_waits_a_sleep_is_no_longer),
		cmocka_unit_test(duration_begins_with_the_first_tick_unless_the_counter_jumped),
	};

	return cmocka_run_group_tests_name("deadline", tests, NULL, NULL);
}
