// SPDX-License-Identifier: MIT
/* How long before the deadline waits end: by policy, by what is left, and by what was learned. */
#include "unit.h"

#include "hpt/hpt.h"
#include "sleep/wait_margins.h"

#define US INT64_C(1000)
#define MS INT64_C(1000000)

static struct hpt_habits habits;

static struct hpt_wait_margins margins(uint32_t policy, int64_t max_spin_ns)
{
	struct hpt_policy p;

	assert_int_equal(hpt_policy_make(policy, max_spin_ns, &p), 0);
	return hpt_wait_margins_of(&habits, p, 50 * MS, INT64_MAX);
}

/* Wakes after short waits come brief_us late, after long ones long_us. */
static void learn(int64_t brief_us, int64_t long_us)
{
	const struct hpt_wait_margins m = { .is_learned = true };

	habits = (struct hpt_habits){ 0 };
	for (int i = 0; i < 100; i++) {
		hpt_wait_margins_learn(&m, &habits, brief_us * US, false);
		hpt_wait_margins_learn(&m, &habits, long_us * US, true);
	}
}

static void without_experience_margins_are_guesses(void **state)
{
	struct hpt_wait_margins m;

	(void)state;
	habits = (struct hpt_habits){ 0 };
	m = margins(HPT_SLEEP_BALANCED, 0);
	assert_int_equal(m.brief_ns, HPT_WAIT_MARGINS_GUESS_NS);
	assert_int_equal(m.long_ns, 150 * US);
	assert_int_equal(m.slack_ns, 0);
	assert_true(m.is_learned);
	assert_int_equal(margins(HPT_SLEEP_BALANCED, 60 * US).brief_ns, 60 * US);
}

static void margins_are_as_late_as_the_kernel(void **state)
{
	struct hpt_wait_margins m;

	(void)state;
	learn(30, 80);
	m = margins(HPT_SLEEP_BALANCED, 0);
	assert_in_range(m.brief_ns, 30 * US, 40 * US);
	assert_in_range(m.long_ns, 80 * US, 95 * US);
}

/* SPIN's is the policy's own; another's spin is as short as the limits of CPU time say. */
static void policies_have_margins_of_their_own(void **state)
{
	struct hpt_wait_margins m;

	(void)state;
	learn(30, 80);
	m = margins(HPT_SLEEP_SPIN, 70 * MS);
	assert_int_equal(m.brief_ns, 70 * MS);
	assert_int_equal(m.long_ns, 0);
	assert_false(m.is_learned || hpt_wait_margins_are_two(&m, INT64_MAX / 2));
	assert_int_equal(margins(HPT_SLEEP_STRICT, 70 * MS).cap_ns, 50 * MS);
	assert_true(margins(HPT_SLEEP_NOSPIN, 50 * US).is_learned);
	m = margins(HPT_SLEEP_NOSPIN, 0);
	assert_false(m.is_learned);
	hpt_wait_margins_learn(&m, &habits, 10 * MS, false);
	assert_in_range(margins(HPT_SLEEP_BALANCED, 0).brief_ns, 30 * US, 40 * US);
	assert_int_equal(hpt_margin_samples(&habits.after_brief), 100);
	/* It ends late anyhow: one wait does, as long as the clocks differ by less. */
	assert_false(hpt_wait_margins_are_two(&m, 150 * MS));
	assert_true(hpt_wait_margins_are_two(&m, 160 * MS));
}

/* Counts are halved at 128 waits. */
static void few_waits_are_remembered(void **state)
{
	(void)state;
	learn(30, 80);
	for (int i = 0; i < 28; i++) {
		const struct hpt_wait_margins m = { .is_learned = true };

		hpt_wait_margins_learn(&m, &habits, 30 * US, false);
		hpt_wait_margins_learn(&m, &habits, 80 * US, true);
	}
	assert_int_equal(hpt_margin_samples(&habits.after_brief), 64);
	assert_int_equal(hpt_margin_samples(&habits.after_long), 64);
}

/* The first of two waits ends before both margins, the cost of a wake, and what the clocks may come to differ by. */
static void long_waits_end_earlier(void **state)
{
	struct hpt_wait_margins m;

	(void)state;
	learn(30, 80);
	m = margins(HPT_SLEEP_BALANCED, 0);
	m.slack_ns = 7 * US;
	assert_false(hpt_wait_margins_are_two(&m, 2 * MS));
	assert_int_equal(hpt_wait_margins_ahead_ns(&m, 2 * MS), m.brief_ns);
	assert_true(hpt_wait_margins_are_two(&m, 3 * MS));
	assert_int_equal(hpt_wait_margins_ahead_ns(&m, 100 * MS),
			 m.brief_ns + m.slack_ns + 20 * US + m.long_ns + 100 * MS / 1024);
	assert_int_equal(hpt_wait_margins_ahead_ns(&m, 1600 * MS),
			 m.brief_ns + m.slack_ns + 20 * US + m.long_ns + 100 * MS);
}

/* The margin of long waits is not computed where none can follow, and is where one may. */
static void near_deadline_needs_no_long_margin(void **state)
{
	struct hpt_wait_margins m;
	struct hpt_policy p;

	(void)state;
	learn(30, 80);
	assert_int_equal(hpt_policy_make(HPT_SLEEP_BALANCED, 0, &p), 0);
	m = hpt_wait_margins_of(&habits, p, 50 * MS, 2020 * US);
	assert_int_equal(m.long_ns, 0);
	assert_int_equal(m.brief_ns, margins(HPT_SLEEP_BALANCED, 0).brief_ns);
	assert_false(hpt_wait_margins_are_two(&m, INT64_MAX));
	m = margins(HPT_SLEEP_BALANCED, 0);
	assert_false(hpt_wait_margins_are_two(&m, 2020 * US));
	m = hpt_wait_margins_of(&habits, p, 50 * MS, 2020 * US + 1);
	assert_int_equal(m.long_ns, margins(HPT_SLEEP_BALANCED, 0).long_ns);
}

/* There is no second wait where long ones end as soon as short ones, unless clocks may differ by more, or the cap. */
static void one_wait_does_where_it_ends_as_soon(void **state)
{
	struct hpt_wait_margins m;

	(void)state;
	learn(30, 30);
	m = margins(HPT_SLEEP_BALANCED, 0);
	assert_int_equal(hpt_wait_margins_ahead_ns(&m, 10240 * US), m.long_ns + 10 * US);
	assert_in_range(hpt_wait_margins_ahead_ns(&m, 102400 * US), m.long_ns + 100 * US + 1, MS);
	m.cap_ns = m.long_ns + 10 * US - 1;
	assert_in_range(hpt_wait_margins_ahead_ns(&m, 10240 * US), m.long_ns + 10 * US + 1, MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_experience_margins_are_guesses),
		cmocka_unit_test(margins_are_as_late_as_the_kernel),
		cmocka_unit_test(policies_have_margins_of_their_own),
		cmocka_unit_test(few_waits_are_remembered),
		cmocka_unit_test(long_waits_end_earlier),
		cmocka_unit_test(near_deadline_needs_no_long_margin),
		cmocka_unit_test(one_wait_does_where_it_ends_as_soon),
	};

	return cmocka_run_group_tests_name("wait margins", tests, NULL, NULL);
}
