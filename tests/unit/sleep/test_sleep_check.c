// SPDX-License-Identifier: MIT
/* What a check changes in a sleep: its state, its deadline in ticks, and its end by the kernel's clock. */
#include "sleep_world.h"

#include "sleep/deadline.h"
#include "sleep/sleep_check.h"

static struct hpt_sleeper sleeping;

/* A sleep of 20 ms that has just begun. */
static struct hpt_sleep sleep_of(enum hpt_deadline_kind kind)
{
	struct hpt_sleep sl;
	int64_t at = 20 * NS_PER_MS;

	begin();
	settle();
	sleeping = sleeper(HPT_SLEEP_BALANCED, 0);
	sl = (struct hpt_sleep){ .s = &sleeping, .asked.kind = kind, .watch.seen = hpt_seqlatch_begin(&clk.latch) };
	if (kind == HPT_DEADLINE_TICK)
		at = in_ns(at);
	else if (hpt_deadline_is_on_timeline(&sl.asked))
		at += kind == HPT_DEADLINE_NS ? hpt_now_ns(&clk) : hpt_now_unix_ns(&clk);
	sl.spin.now = (uint64_t)hpt_now(&clk);
	hpt_time_scales(&clk, &sl.rates);
	hpt_deadline_start(&sl, at);
	if (hpt_deadline_is_on_timeline(&sl.asked))
		hpt_sleep_place(&sl);
	return sl;
}

static const enum hpt_deadline_kind kinds[] = {
	HPT_DEADLINE_TICK, HPT_DEADLINE_AFTER_NS, HPT_DEADLINE_NS, HPT_DEADLINE_UNIX_NS,
};

static void an_undisturbed_sleep_ends_where_the_clock_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct hpt_sleep sl = sleep_of(kinds[i]);
		int64_t end_ns = true_monotonic_ns() + 20 * NS_PER_MS;

		for (int n = 0; n < 3; n++) {
			errno = EXDEV;
			assert_int_equal(hpt_sleep_check(&sl), 0);
			assert_int_equal(errno, EXDEV);
			assert_int_equal(sl.state, HPT_STATE_OK);
			assert_in_range(sl.end.ns - end_ns + NS_PER_US, 0, 2 * NS_PER_US);
			assert_in_range(end_ns - true_monotonic_ns() - hpt_deadline_left_ns(&sl) + NS_PER_US, 0,
					2 * NS_PER_US);
			assert_false(sl.end.is_blind || sl.end.is_learning);
			pass(PS_PER_MS);
		}
	}
}

/* A counter that lost time: the end that was known before remains, and the deadline of a time moves with it. */
static void a_sleep_whose_counter_stepped_is_disrupted(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * COUNT(kinds); i++) {
		struct hpt_sleep sl = sleep_of(kinds[i / 2]);
		int64_t step_ns = i % 2 ? 5 * NS_PER_MS : -5 * NS_PER_MS, end_ns, gained_ns;
		uint64_t deadline;

		hpt_sleep_check(&sl);
		end_ns = sl.end.ns;
		deadline = sl.spin.deadline;
		counter_goes(step_ns * 1000 / (int64_t)world.tick_ps);
		gained_ns = hpt_sleep_check(&sl);
		assert_in_range(gained_ns - step_ns + NS_PER_US, 0, 2 * NS_PER_US);
		assert_int_equal(sl.state, HPT_STATE_DISRUPTED);
		if (step_ns < 0)
			assert_int_equal(sl.end.ns, end_ns);
		if (hpt_deadline_is_on_timeline(&sl.asked))
			assert_in_range((int64_t)(sl.spin.deadline - deadline) * 4 / 10 - step_ns + NS_PER_US, 0,
					2 * NS_PER_US);
		else
			assert_int_equal(sl.spin.deadline, deadline);
	}
}

/* What happened before the sleep does not count, even if nobody has noticed it so far. */
static void a_step_before_a_time_on_a_timeline_is_none_of_the_sleeps(void **state)
{
	(void)state;
	begin();
	settle();
	for (int i = 2; i < 4; i++) {
		struct hpt_sleep sl = { .s = &sleeping, .asked.kind = kinds[i] };
		int64_t at = (i == 2 ? hpt_now_ns(&clk) : hpt_now_unix_ns(&clk)) + 20 * NS_PER_MS;

		sl.watch.seen = hpt_seqlatch_begin(&clk.latch);
		counter_goes(-100000000);
		sl.spin.now = (uint64_t)hpt_now(&clk);
		hpt_deadline_start(&sl, at);
		hpt_sleep_place(&sl);
		assert_int_equal(sl.state, HPT_STATE_OK);
		assert_true(sl.watch.is_checked);
	}
}

static void without_clocks_the_counter_goes_on(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * COUNT(kinds); i++) {
		struct hpt_sleep sl = sleep_of(kinds[i / 2]);
		uint64_t deadline;
		int64_t end_ns;

		if (i % 2)
			hpt_sleep_check(&sl);
		deadline = sl.spin.deadline;
		end_ns = sl.end.ns;
		fake_world_lose_clocks();
		assert_true(hpt_sleep_check(&sl) < 0);
		assert_int_equal(sl.state, HPT_STATE_DISRUPTED);
		assert_true(sl.end.is_blind);
		assert_int_equal(sl.end.is_known, i % 2 || hpt_deadline_is_on_timeline(&sl.asked));
		assert_int_equal(sl.end.ns, end_ns);
		assert_in_range(sl.spin.deadline - deadline + 100, 0, 200);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_undisturbed_sleep_ends_where_the_clock_says),
		cmocka_unit_test(a_sleep_whose_counter_stepped_is_disrupted),
		cmocka_unit_test(a_step_before_a_time_on_a_timeline_is_none_of_the_sleeps),
		cmocka_unit_test(without_clocks_the_counter_goes_on),
	};

	return cmocka_run_group_tests_name("sleep check", tests, NULL, NULL);
}
