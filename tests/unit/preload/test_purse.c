// SPDX-License-Identifier: MIT
/* What all threads of a process may spin together: gains, savings, debts, forks, and threads that pay at once. */
#include <pthread.h>

#include "unit.h"

#include "preload/purse.h"

#define MS INT64_C(1000000)
#define S  (1000 * MS)

/* An uptime of some days. */
#define START (400000 * S)

/* At 250 thousandths. */
#define MOST (10 * MS)
#define DEBT (250 * MS)

static bool pay(struct hpt_purse *p, int64_t now_ns, int64_t spun_ns)
{
	return hpt_purse_pay(p, 1, now_ns, 250, spun_ns);
}

static void process_begins_with_all_that_can_be_saved(void **state)
{
	struct hpt_purse p = { 0 };

	(void)state;
	assert_true(pay(&p, START, 0));
	assert_int_equal(p.saved_ns, MOST);
	assert_true(pay(&p, START, MOST - 1));
	assert_false(pay(&p, START, 1));
	assert_int_equal(p.saved_ns, 0);
}

static void gain_is_the_rate_by_the_time(void **state)
{
	static const uint32_t rates[] = { 1, 25, 250, 1000, 16000 };

	(void)state;
	for (size_t i = 0; i < COUNT(rates); i++) {
		struct hpt_purse p = { .process = 1, .last_ns = START };

		assert_true(hpt_purse_pay(&p, 1, START + 4 * MS, rates[i], 0));
		assert_int_equal(p.saved_ns, 4 * MS * rates[i] / 1000);
		/* The same time is counted once. */
		hpt_purse_pay(&p, 1, START + 4 * MS, rates[i], 0);
		assert_int_equal(p.saved_ns, 4 * MS * rates[i] / 1000);
	}
}

static void savings_and_debts_have_limits(void **state)
{
	struct hpt_purse p = { 0 };

	(void)state;
	pay(&p, START, 0);
	pay(&p, START + 100 * S, 0);
	assert_int_equal(p.saved_ns, MOST);
	assert_false(pay(&p, START + 100 * S, 3600 * S));
	assert_int_equal(p.saved_ns, -DEBT);
	pay(&p, START + 100 * S, INT64_MAX);
	assert_int_equal(p.saved_ns, -DEBT);
	assert_false(pay(&p, START + 101 * S, 0));
	assert_true(pay(&p, START + 101 * S + 4, 0));
}

static void nothing_is_earned_by_paying_less_than_nothing(void **state)
{
	struct hpt_purse p = { .process = 1, .saved_ns = 5, .last_ns = START };

	(void)state;
	pay(&p, START, -7 * MS);
	assert_int_equal(p.saved_ns, 5);
}

static void no_rate_is_nothing_to_spend(void **state)
{
	struct hpt_purse p = { 0 };

	(void)state;
	assert_false(hpt_purse_pay(&p, 1, START, 0, 0));
	assert_false(hpt_purse_pay(&p, 1, START + S, 0, 5));
	assert_int_equal(p.saved_ns, 0);
}

static void without_a_limit_nothing_is_counted(void **state)
{
	struct hpt_purse p = { 0 };

	(void)state;
	for (int i = 0; i < 10; i++)
		assert_true(hpt_purse_pay(&p, 1, START, HPT_PURSE_ANY, S));
	assert_int_equal(p.process, 0);
}

/* Debts of the parent's threads are not the child's. */
static void forked_child_begins_anew(void **state)
{
	struct hpt_purse p = { .process = 1, .saved_ns = -DEBT, .last_ns = START };

	(void)state;
	assert_false(pay(&p, START, 0));
	assert_true(hpt_purse_pay(&p, 2, START, 250, 0));
	assert_int_equal(p.saved_ns, MOST);
	assert_int_equal(p.process, 2);
	assert_false(hpt_purse_pay(&p, 2, START, 250, MOST));
}

/* As of a thread that was stopped between its look at the clock and the call: else the time would count twice. */
static void thread_that_comes_late_moves_no_clock(void **state)
{
	struct hpt_purse p = { .process = 1, .saved_ns = 7, .last_ns = START };

	(void)state;
	pay(&p, START - MS, 0);
	pay(&p, START - S, 0);
	pay(&p, START, 0);
	assert_int_equal(p.saved_ns, 7);
	assert_int_equal(p.last_ns, START);
}

/* A restored checkpoint, or a child in a time namespace. */
static void clock_that_was_set_back_gains_nothing(void **state)
{
	struct hpt_purse p = { .process = 1, .saved_ns = 7, .last_ns = START };

	(void)state;
	assert_true(pay(&p, S, 0));
	assert_int_equal(p.saved_ns, 7);
	pay(&p, S + 4 * MS, 0);
	assert_int_equal(p.saved_ns, 7 + MS);
}

/* Their product with the rate does not fit. */
static void centuries_gain_no_more_than_the_most(void **state)
{
	struct hpt_purse p = { .process = 1, .last_ns = START };

	(void)state;
	assert_true(hpt_purse_pay(&p, 1, START + INT64_C(184467440737095517), 1000000, 0));
	assert_int_equal(p.saved_ns, 40 * S);
}

/* ---- Threads --------------------------------------------------------------------------------------------------- */

/* All steps together are less than 1 s: a thread that stalls must not look like one whose clock was set back. */
#define THREADS 4
#define PAYS    20000
#define STEP_NS 10000

static struct hpt_purse shared;
static _Atomic int64_t clock_ns;
static int64_t spun[THREADS];

/* Each spins whenever it may. */
static void *spend(void *arg)
{
	int64_t *mine = arg, owed = 0;

	for (int i = 0; i < PAYS; i++) {
		bool may = hpt_purse_pay(&shared, 1, atomic_fetch_add(&clock_ns, STEP_NS), 250, owed);

		owed = may ? STEP_NS / 2 : 0;
		*mine += owed;
	}
	return NULL;
}

/* All that is paid is taken off, and no time counts twice. */
static void threads_share_one_purse(void **state)
{
	pthread_t threads[THREADS];
	int64_t all = 0;

	(void)state;
	shared = (struct hpt_purse){ 0 };
	atomic_store(&clock_ns, START);
	pay(&shared, START, 0);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, spend, &spun[i]), 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		all += spun[i];
	}
	assert_true(all > 0);
	assert_true(all <= MOST + (atomic_load(&clock_ns) - START) / 4 + THREADS * STEP_NS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(process_begins_with_all_that_can_be_saved),
		cmocka_unit_test(gain_is_the_rate_by_the_time),
		cmocka_unit_test(savings_and_debts_have_limits),
		cmocka_unit_test(nothing_is_earned_by_paying_less_than_nothing),
		cmocka_unit_test(no_rate_is_nothing_to_spend),
		cmocka_unit_test(without_a_limit_nothing_is_counted),
		cmocka_unit_test(forked_child_begins_anew),
		cmocka_unit_test(thread_that_comes_late_moves_no_clock),
		cmocka_unit_test(clock_that_was_set_back_gains_nothing),
		cmocka_unit_test(centuries_gain_no_more_than_the_most),
		cmocka_unit_test(threads_share_one_purse),
	};

	return cmocka_run_group_tests_name("purse", tests, NULL, NULL);
}
