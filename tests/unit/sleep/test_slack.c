// SPDX-License-Identifier: MIT
/* Timer slack: a small one is allowed for, a large one set and restored, a changed or unused one noticed. */
#include "sleep_world.h"

#include "sleep/slack.h"

/* How long before the deadline the last wait ends. */
static int64_t ahead_of(int64_t ns)
{
	int64_t end_ns = true_monotonic_ns() + ns;

	assert_true(waits_of(ns) > 0);
	return end_ns - kernel.wait[kernel.waits - 1].until_ns;
}

/* A changed slack is noticed by wakes that are too late for it, which then are to be forgotten. */
static void train_with_slack(int64_t slack_ns)
{
	begin();
	kernel.slack_ns = slack_ns;
	kernel.late_long_ns = 2 * LATE_NS;
	for (int i = 0; i < 2000; i++)
		hpt_sleep_ns(&clk, NS_PER_MS / 5);
	train();
}

static void until_a_unix_time(int64_t ns)
{
	int64_t end_ns = hpt_now_unix_ns(&clk) + ns;

	assert_int_equal(slept(hpt_sleep_until_unix_ns(&clk, end_ns)), 0);
	assert_in_range(fake_world_true_ns(CLOCK_REALTIME) - end_ns, 0, NS_PER_US);
}

static void small_slack_is_allowed_for(void **state)
{
	static const int64_t slacks_ns[] = { 2, 12345, 50000, 100000 };

	(void)state;
	for (size_t i = 0; i < COUNT(slacks_ns); i++) {
		train_with_slack(slacks_ns[i]);
		assert_in_range(ahead_of(20 * NS_PER_MS), LATE_NS, 2 * LATE_NS);
		assert_int_equal(kernel.waits, 2);
		assert_in_range(ahead_of(NS_PER_MS), LATE_NS, 2 * LATE_NS);
		until_a_unix_time(20 * NS_PER_MS);
		assert_int_equal(kernel.slack_gets + kernel.slack_sets, 0);
	}
}

static void assert_waits_without_slack(uint32_t n)
{
	assert_int_equal(kernel.waits, n);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(kernel.wait[i].slack_ns, 1);
	assert_int_equal(kernel.slack_sets, 2);
}

static void large_slack_is_least_in_the_kernel_and_restored_after_it(void **state)
{
	static const int64_t slacks_ns[] = { 1000000, 100001, 1000000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(slacks_ns); i++) {
		train_with_slack(slacks_ns[i]);
		assert_in_range(ahead_of(20 * NS_PER_MS), LATE_NS, 2 * LATE_NS);
		assert_waits_without_slack(2);
		assert_int_equal(kernel.slack_ns, slacks_ns[i]);
	}
}

/* Between these lengths a wait is worthwhile, but not one that is earlier by the slack. */
static void sleeps_too_short_for_the_slack_set_it(void **state)
{
	(void)state;
	train_with_slack(50000);
	until_a_tick(LATE_NS + 30 * NS_PER_US);
	assert_waits_without_slack(1);
	assert_int_equal(kernel.slack_ns, 50000);
}

/* A program sets the slack between two sleeps. What it set is never lost, and after two sleeps waits allow for it. */
static void changed_slack_is_noticed(void **state)
{
	static const int64_t slacks_ns[] = { 1, 20000, 50000, 95000, 1000000, 50000 };

	(void)state;
	begin();
	train();
	for (size_t i = 0; i < COUNT(slacks_ns); i++) {
		int64_t margin_ns;

		kernel.slack_ns = slacks_ns[i];
		assert_int_equal(slept(hpt_sleep_ns(&clk, 20 * NS_PER_MS)), 0);
		assert_int_equal(slept(hpt_sleep_ns(&clk, NS_PER_MS)), 0);
		margin_ns = habits().margin_ns;
		assert_true(ahead_of(NS_PER_MS) <= margin_ns + NS_PER_US);
	}
}

/* Such a wait would end earlier by the slack, each time. When the kernel uses the slack again that is noticed. */
static void slack_that_the_kernel_ignores_is_not_allowed_for(void **state)
{
	(void)state;
	train_with_slack(50000);
	kernel.ignores_slack = true;
	for (int i = 0; i < 10; i++)
		hpt_sleep_ns(&clk, NS_PER_MS);
	kernel.slack_gets = 0;
	assert_in_range(ahead_of(NS_PER_MS), 0, 2 * LATE_NS);
	assert_in_range(ahead_of(NS_PER_MS), 0, 2 * LATE_NS);
	assert_int_equal(kernel.slack_gets, 0);
	kernel.ignores_slack = false;
	for (int i = 0; i < 3; i++)
		hpt_sleep_ns(&clk, NS_PER_MS);
	kernel.slack_gets = 0;
	for (int i = 0; i < 10; i++)
		until_a_tick(NS_PER_MS);
	assert_int_equal(kernel.slack_gets, 0);
}

/* What is left is no longer than the margin again after a second wait: a policy's cap holds. */
static void early_wakes_wait_again(void **state)
{
	(void)state;
	train_with_slack(50000);
	kernel.late_ns = -40 * NS_PER_US;
	for (int n = 0; n < 3; n++) {
		int64_t ahead_ns = ahead_of(NS_PER_MS);

		assert_int_equal(kernel.waits, 2);
		assert_int_equal(kernel.wait[1].slack_ns, 1);
		assert_in_range(ahead_ns, 0, 2 * LATE_NS);
	}
}

static void handler_sleeps(void)
{
	world.event = NULL;
	hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0);
	assert_int_equal(slept(hpt_sleep_ns(&clk, 300 * NS_PER_US)), 0);
	kernel.ends = FAKE_SIGNAL;
}

/* It found the slack of 1 ns that the sleep has set. */
static void sleep_in_a_signal_handler_does_not_change_the_slack_that_is_known(void **state)
{
	(void)state;
	train_with_slack(20 * NS_PER_MS);
	set_event(NS_PER_MS, handler_sleeps);
	until_a_tick(5 * NS_PER_MS);
	assert_null(world.event);
	for (int n = 0; n < 3; n++)
		until_a_tick(5 * NS_PER_MS);
}

static void slack_that_is_least_or_unknown_is_left_alone(void **state)
{
	static const int64_t slacks_ns[] = { 1, 0, -1, -EPERM };

	(void)state;
	for (size_t i = 0; i < COUNT(slacks_ns); i++) {
		begin();
		train();
		kernel.slack_ns = slacks_ns[i];
		until_a_tick(20 * NS_PER_MS);
		until_a_tick(LATE_NS + 30 * NS_PER_US);
		hpt_sleep_set_policy(HPT_SLEEP_NOSPIN, 0);
		assert_int_equal(slept(hpt_sleep_ns(&clk, NS_PER_MS)), 0);
		assert_int_equal(kernel.slack_sets, 0);
	}
}

/* After a wake before its time, and after one past the deadline, it is asked for again; after four early ones not. */
static void doubtful_wakes_forget_the_slack(void **state)
{
	struct hpt_habits h = { .slack_ns = 50000 };

	(void)state;
	hpt_slack_note_wake(&h, 50000, -20000, 100);
	assert_int_equal(h.slack_ns, 50000);
	for (int n = 1; n <= 5; n++) {
		h.slack_ns = 50000;
		hpt_slack_note_wake(&h, 50000, -30000, 100);
		assert_int_equal(h.slack_ns, n < 4 ? 0 : 1);
	}
	hpt_slack_note_wake(&h, 0, -30000, 100); /* it was not allowed for: that says nothing */
	hpt_slack_note_wake(&h, 50000, 30000, -100);
	assert_int_equal(h.slack_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(doubtful_wakes_forget_the_slack),
		cmocka_unit_test(small_slack_is_allowed_for),
		cmocka_unit_test(large_slack_is_least_in_the_kernel_and_restored_after_it),
		cmocka_unit_test(sleeps_too_short_for_the_slack_set_it),
		cmocka_unit_test(changed_slack_is_noticed),
		cmocka_unit_test(slack_that_the_kernel_ignores_is_not_allowed_for),
		cmocka_unit_test(early_wakes_wait_again),
		cmocka_unit_test(sleep_in_a_signal_handler_does_not_change_the_slack_that_is_known),
		cmocka_unit_test(slack_that_is_least_or_unknown_is_left_alone),
	};

	return cmocka_run_group_tests_name("slack", tests, NULL, NULL);
}
