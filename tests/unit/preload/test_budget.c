// SPDX-License-Identifier: MIT
/* The share of its time that a thread may spin: what it gains, saves up, owes, and how it begins. */
#include "unit.h"

#include "preload/budget.h"

#define MS INT64_C(1000000)
#define S  (1000 * MS)

/* An uptime of some days. */
#define START (400000 * S)

static void thread_begins_with_all_that_can_be_saved(void **state)
{
	struct hpt_budget b = { 0 };

	(void)state;
	assert_true(hpt_budget_gain(&b, 1, START, 25));
	assert_int_equal(b.saved_ns, HPT_BUDGET_MOST_NS);
	assert_int_equal(b.process, 1);
	assert_int_equal(b.last_ns, START);
}

/* It has done nothing yet, whatever its parent spent or owes. */
static void forked_child_begins_anew(void **state)
{
	struct hpt_budget b = { .process = 1, .saved_ns = -200 * MS, .last_ns = START };

	(void)state;
	assert_false(hpt_budget_gain(&b, 1, START, 25));
	assert_true(hpt_budget_gain(&b, 2, START, 25));
	assert_int_equal(b.saved_ns, HPT_BUDGET_MOST_NS);
	assert_int_equal(b.process, 2);
}

static void gain_is_the_share_of_the_time_that_passed(void **state)
{
	static const uint32_t percents[] = { 1, 25, 50, 99, 100 };

	(void)state;
	for (size_t i = 0; i < COUNT(percents); i++) {
		struct hpt_budget b = { .process = 1, .last_ns = START };

		assert_true(hpt_budget_gain(&b, 1, START + 4 * MS, percents[i]));
		assert_int_equal(b.saved_ns, 4 * MS * percents[i] / 100);
		assert_int_equal(b.last_ns, START + 4 * MS);
		/* The same time is counted once. */
		assert_true(hpt_budget_gain(&b, 1, START + 4 * MS, percents[i]));
		assert_int_equal(b.saved_ns, 4 * MS * percents[i] / 100);
	}
}

static void no_more_is_saved_up_than_the_most(void **state)
{
	struct hpt_budget b = { .process = 1, .last_ns = START };

	(void)state;
	hpt_budget_gain(&b, 1, START + 39 * MS, 25);
	assert_int_equal(b.saved_ns, 9750000);
	hpt_budget_gain(&b, 1, START + 41 * MS, 25);
	assert_int_equal(b.saved_ns, HPT_BUDGET_MOST_NS);
	hpt_budget_gain(&b, 1, INT64_MAX, 100);
	assert_int_equal(b.saved_ns, HPT_BUDGET_MOST_NS);
}

/* Their product with the per cent, 2^64 + 84, does not fit. */
static void centuries_gain_no_more_than_the_most(void **state)
{
	struct hpt_budget b = { .process = 1, .last_ns = START };

	(void)state;
	assert_true(hpt_budget_gain(&b, 1, START + INT64_C(184467440737095517), 100));
	assert_int_equal(b.saved_ns, HPT_BUDGET_MOST_NS);
}

static void what_is_spent_is_gone(void **state)
{
	struct hpt_budget b = { 0 };

	(void)state;
	hpt_budget_gain(&b, 1, START, 25);
	hpt_budget_spend(&b, HPT_BUDGET_MOST_NS - 1);
	assert_true(hpt_budget_gain(&b, 1, START, 25));
	hpt_budget_spend(&b, 1);
	assert_false(hpt_budget_gain(&b, 1, START, 25));
	assert_int_equal(b.saved_ns, 0);
	assert_true(hpt_budget_gain(&b, 1, START + 4, 25));
}

static void debt_is_paid_back_first(void **state)
{
	struct hpt_budget b = { .process = 1, .last_ns = START };

	(void)state;
	hpt_budget_spend(&b, 5 * MS);
	assert_false(hpt_budget_gain(&b, 1, START + 20 * MS, 25));
	assert_true(hpt_budget_gain(&b, 1, START + 20 * MS + 4, 25));
	assert_int_equal(b.saved_ns, 1);
}

/* A sleeper that was stopped in its spin, as by SIGSTOP, spins again a second later. */
static void no_debt_outlasts_a_second(void **state)
{
	static const int64_t spins_ns[] = { 250 * MS, 251 * MS, 3600 * S, INT64_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(spins_ns); i++) {
		struct hpt_budget b = { .process = 1, .last_ns = START };

		hpt_budget_spend(&b, spins_ns[i]);
		hpt_budget_spend(&b, spins_ns[i]);
		assert_false(hpt_budget_gain(&b, 1, START + S, 25));
		assert_true(hpt_budget_gain(&b, 1, START + S + 4, 25));
	}
}

static void nothing_may_be_spun_at_0_percent(void **state)
{
	struct hpt_budget b = { 0 };

	(void)state;
	assert_false(hpt_budget_gain(&b, 1, START, 0));
	assert_false(hpt_budget_gain(&b, 1, START + S, 0));
}

/* A checkpoint that is restored on another machine, or a child in a time namespace. */
static void clock_that_went_back_gains_nothing(void **state)
{
	struct hpt_budget b = { .process = 1, .saved_ns = 7, .last_ns = START };

	(void)state;
	assert_true(hpt_budget_gain(&b, 1, S, 25));
	assert_int_equal(b.saved_ns, 7);
	assert_int_equal(b.last_ns, S);
	assert_true(hpt_budget_gain(&b, 1, S + 4 * MS, 25));
	assert_int_equal(b.saved_ns, 7 + MS);
}

/* By sleeps of random lengths that spin as long as they may: over each whole run, the share and what was saved up. */
static void spinning_stays_below_the_share(void **state)
{
	(void)state;
	for (int round = 0; round < rounds(2000); round++) {
		struct hpt_budget b = { 0 };
		uint32_t percent = 1 + (uint32_t)random_below(100);
		int64_t now = START, spun = 0, longest = 0;

		for (int i = 0; i < 200; i++) {
			int64_t ns = (int64_t)random_below(2 * MS);

			now += (int64_t)random_below(10 * MS);
			if (!hpt_budget_gain(&b, 1, now, percent))
				continue;
			hpt_budget_spend(&b, ns);
			now += ns;
			spun += ns;
			longest = ns > longest ? ns : longest;
		}
		assert_true(spun <= HPT_BUDGET_MOST_NS + longest + (now - START) * percent / 100);
	}
}

/* A handler may sleep while a 32-bit program has written half of a number: such a number counts for little and ends. */
static void half_written_numbers_are_soon_forgotten(void **state)
{
	static const int64_t torn[] = { INT64_C(-4294967296), 0xffffffff, INT64_C(-250000000) };

	(void)state;
	for (size_t i = 0; i < COUNT(torn); i++) {
		struct hpt_budget b = { .process = 1, .saved_ns = torn[i], .last_ns = START };

		hpt_budget_gain(&b, 1, START, 25);
		assert_true(b.saved_ns <= HPT_BUDGET_MOST_NS);
		hpt_budget_spend(&b, 0);
		hpt_budget_gain(&b, 1, START + S, 25);
		assert_true(hpt_budget_gain(&b, 1, START + S + 4, 25));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thread_begins_with_all_that_can_be_saved),
		cmocka_unit_test(forked_child_begins_anew),
		cmocka_unit_test(gain_is_the_share_of_the_time_that_passed),
		cmocka_unit_test(no_more_is_saved_up_than_the_most),
		cmocka_unit_test(centuries_gain_no_more_than_the_most),
		cmocka_unit_test(what_is_spent_is_gone),
		cmocka_unit_test(debt_is_paid_back_first),
		cmocka_unit_test(no_debt_outlasts_a_second),
		cmocka_unit_test(nothing_may_be_spun_at_0_percent),
		cmocka_unit_test(clock_that_went_back_gains_nothing),
		cmocka_unit_test(spinning_stays_below_the_share),
		cmocka_unit_test(half_written_numbers_are_soon_forgotten),
	};

	random_start();
	return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
