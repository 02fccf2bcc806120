// SPDX-License-Identifier: MIT
/* Margins for waits of the program's own, and what those teach sleeps. */
#include "object_world.h"

#include "hpt/wait.h"
#include "sleep/waiter.h"

/* The timer slack of this world. */
#define SLACK_NS 50000

static hpt_waiter *w;

static int waiter_begins(void **state)
{
	sleeping_begins(state);
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0), 0);
	*hpt_habits_claim() = (struct hpt_habits){ 0 };
	w = NULL;
	return hpt_waiter_new(&clk, 0, &w);
}

static int waiter_ends(void **state)
{
	hpt_waiter_free(w);
	return sleeping_ends(state);
}

#define waiter_test(f) cmocka_unit_test_setup_teardown(f, waiter_begins, waiter_ends)

static int64_t margin_ns(int64_t left_ns)
{
	int64_t ret = -1;

	assert_int_equal(hpt_waiter_margin_ns(w, left_ns, &ret), 0);
	return ret;
}

/* A wait as long as that would be. */
static void teach(int64_t left_ns, int64_t late_ns)
{
	for (int i = 0; i < 100; i++) {
		(void)margin_ns(left_ns);
		assert_int_equal(hpt_waiter_learn_ns(w, 5, 5 + SLACK_NS + late_ns), 0);
	}
}

static void margin_is_learned_and_has_the_slack(void **state)
{
	(void)state;
	assert_int_equal(margin_ns(NS_PER_MS), 100000 + SLACK_NS);
	teach(NS_PER_MS, 20000);
	assert_in_range(margin_ns(NS_PER_MS), SLACK_NS + 20000, SLACK_NS + 25000);
	assert_in_range(margin_ns(1), SLACK_NS + 20000, SLACK_NS + 25000);
}

/* And the other way round. This kernel does not use the slack, which sleeps find out. */
static void sleeps_use_what_waits_teach(void **state)
{
	struct hpt_sleep_info info;

	(void)state;
	teach(NS_PER_MS, 20000);
	assert_int_equal(hpt_sleep_get_info(&info, sizeof(info)), 0);
	assert_in_range(info.margin_ns, 20000, 25000);
	assert_in_range(info.samples, 50, 128);
	assert_int_equal(info.long_samples, 0);
	for (int i = 0; i < 300; i++)
		hpt_waiter_sleep_ns(w, NS_PER_MS);
	assert_in_range(margin_ns(NS_PER_MS), LATE_PS / 1000, LATE_PS / 1000 + 5000);
}

/* What a long wait teaches is not for the short one after it. */
static void long_waits_have_a_second(void **state)
{
	struct hpt_sleep_info info;

	(void)state;
	teach(100 * NS_PER_MS, 300000);
	assert_int_equal(hpt_sleep_get_info(&info, sizeof(info)), 0);
	assert_int_equal(info.samples, 0);
	assert_in_range(info.long_samples, 50, 128);
	assert_in_range(margin_ns(100 * NS_PER_MS), 300000 + SLACK_NS, 700000);
	assert_int_equal(margin_ns(NS_PER_MS), 100000 + SLACK_NS);
}

static void margin_follows_the_waiters_policy(void **state)
{
	(void)state;
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_NOSPIN, 500000), 0);
	assert_int_equal(margin_ns(NS_PER_MS), SLACK_NS);
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_SPIN, 300000), 0);
	assert_int_equal(margin_ns(NS_PER_MS), 300000 + SLACK_NS);
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_BALANCED, 30000), 0);
	assert_int_equal(margin_ns(NS_PER_MS), 30000 + SLACK_NS);
}

static void early_wakes_teach_nothing(void **state)
{
	struct hpt_sleep_info info;

	(void)state;
	assert_int_equal(hpt_waiter_learn_ns(w, 5, 4), 0);
	assert_int_equal(hpt_waiter_learn_ns(w, INT64_MAX, INT64_MIN), 0);
	assert_int_equal(hpt_sleep_get_info(&info, sizeof(info)), 0);
	assert_int_equal(info.samples, 0);
	assert_int_equal(hpt_waiter_learn_ns(w, INT64_MIN, INT64_MAX), 0); /* very late */
	assert_int_equal(hpt_waiter_learn_ns(w, 5, 5), 0);                 /* within the slack */
	assert_int_equal(hpt_sleep_get_info(&info, sizeof(info)), 0);
	assert_int_equal(info.samples, 2);
}

/* A margin that is not learned is not taught. */
static void policies_without_margins_learn_nothing(void **state)
{
	struct hpt_sleep_info info;

	(void)state;
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_NOSPIN, 0), 0);
	teach(NS_PER_MS, 700000);
	assert_int_equal(hpt_waiter_set_policy(w, HPT_SLEEP_SPIN, 1000), 0);
	teach(NS_PER_MS, 700000);
	assert_int_equal(hpt_sleep_get_info(&info, sizeof(info)), 0);
	assert_int_equal(info.samples, 0);
}

static int64_t huge_slack_ns(void)
{
	return INT64_MAX;
}

static void slack_of_years_is_years(void **state)
{
	(void)state;
	fake_env.slack_ns = huge_slack_ns;
	assert_true(margin_ns(NS_PER_MS) > INT64_MAX / 16);
	assert_true(margin_ns(INT64_MAX) > INT64_MAX / 16);
	assert_int_equal(hpt_waiter_learn_ns(w, 5, INT64_MAX), 0);
}

static void manual_clocks_have_none(void **state)
{
	struct hpt_sleep_info info;
	hpt_clock *manual;

	(void)state;
	assert_int_equal(hpt_clock_new_manual(1000000000, 0, 0, &manual), 0);
	hpt_waiter_free(w);
	assert_int_equal(hpt_waiter_new(manual, 0, &w), 0);
	hpt_clock_close(manual);
	assert_int_equal(margin_ns(NS_PER_MS), 0);
	assert_int_equal(hpt_waiter_learn_ns(w, 5, 100000), 0);
	assert_int_equal(hpt_sleep_get_info(&info, sizeof(info)), 0);
	assert_int_equal(info.samples, 0);
}

static void wrong_arguments_are_refused(void **state)
{
	int64_t ret = 17;

	(void)state;
	assert_int_equal(hpt_waiter_margin_ns(NULL, 1, &ret), -EINVAL);
	assert_int_equal(ret, 17);
	assert_int_equal(hpt_waiter_margin_ns(w, 1, NULL), -EINVAL);
	assert_int_equal(hpt_waiter_learn_ns(NULL, 1, 2), -EINVAL);
	assert_int_equal(margin_ns(INT64_MIN), 100000 + SLACK_NS);
	assert_true(margin_ns(INT64_MAX) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		waiter_test(margin_is_learned_and_has_the_slack),
		waiter_test(sleeps_use_what_waits_teach),
		waiter_test(long_waits_have_a_second),
		waiter_test(margin_follows_the_waiters_policy),
		waiter_test(early_wakes_teach_nothing),
		waiter_test(policies_without_margins_learn_nothing),
		waiter_test(slack_of_years_is_years),
		waiter_test(manual_clocks_have_none),
		waiter_test(wrong_arguments_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
