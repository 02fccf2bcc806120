// SPDX-License-Identifier: MIT
/* Times without spins: when they begin, how they grow, how spins of use shorten them, and that each of them ends. */
#include "unit.h"

#include "preload/backoff.h"

#define MS INT64_C(1000000)
#define S  (1000 * MS)

/* An uptime of some days. */
#define START (400000 * S)

static const struct hpt_backoff new;

static void new_thread_may_spin(void **state)
{
	struct hpt_backoff b = new;

	(void)state;
	assert_false(hpt_backoff_is_on(&b, 1, START));
	assert_int_equal(b.process, 1);
	assert_false(hpt_backoff_is_on(&b, 1, 0));
}

static void sleep_on_time_changes_nothing(void **state)
{
	struct hpt_backoff b = new;

	(void)state;
	assert_false(hpt_backoff_is_on(&b, 1, START));
	hpt_backoff_learn(&b, START, HPT_BACKOFF_LATE_NS - 1);
	hpt_backoff_learn(&b, START, -5);
	assert_false(hpt_backoff_is_on(&b, 1, START));
	assert_int_equal(b.length_ns, 0);
}

static void late_sleep_begins_the_first_time(void **state)
{
	struct hpt_backoff b = { .process = 1 };

	(void)state;
	hpt_backoff_learn(&b, START, HPT_BACKOFF_LATE_NS);
	assert_true(hpt_backoff_is_on(&b, 1, START));
	assert_true(hpt_backoff_is_on(&b, 1, START + HPT_BACKOFF_LEAST_NS - 1));
	assert_false(hpt_backoff_is_on(&b, 1, START + HPT_BACKOFF_LEAST_NS));
}

/* 4, 8, 16, ... ms: the ninth is the longest, and none is longer. */
static void times_double_up_to_a_second(void **state)
{
	struct hpt_backoff b = { .process = 1 };
	int64_t length_ns = HPT_BACKOFF_LEAST_NS;

	(void)state;
	for (int i = 0; i < 100; i++) {
		hpt_backoff_learn(&b, START, 3 * MS);
		assert_int_equal(b.length_ns, length_ns);
		assert_int_equal(b.until_ns, START + length_ns);
		length_ns = 2 * length_ns < HPT_BACKOFF_MOST_NS ? 2 * length_ns : HPT_BACKOFF_MOST_NS;
	}
	assert_int_equal(length_ns, HPT_BACKOFF_MOST_NS);
	assert_true(hpt_backoff_is_on(&b, 1, START));
	assert_false(hpt_backoff_is_on(&b, 1, START + HPT_BACKOFF_MOST_NS));
}

/* So many spins of use in a row bring the longest time down to less than the first one. */
static void spins_of_use_bring_it_down(void **state)
{
	struct hpt_backoff b = { .process = 1, .length_ns = HPT_BACKOFF_MOST_NS, .until_ns = START };

	(void)state;
	for (int i = 0; i < 200; i++)
		hpt_backoff_learn(&b, START, 0);
	assert_true(b.length_ns > 0 && b.length_ns < HPT_BACKOFF_LEAST_NS);
	assert_int_equal(b.until_ns, START);
	hpt_backoff_learn(&b, START, MS);
	assert_int_equal(b.length_ns, HPT_BACKOFF_LEAST_NS);
}

/* Of sleeps of 1 ms, each so often late: the share that may spin. */
static double share_spun(int one_late_in)
{
	struct hpt_backoff b = { 0 };
	int64_t now = START;
	int spun = 0, n = 20000;

	for (int i = 0; i < n; i++, now += MS) {
		if (hpt_backoff_is_on(&b, 1, now))
			continue;
		spun++;
		hpt_backoff_learn(&b, now, spun % one_late_in ? 0 : MS);
	}
	return (double)spun / n;
}

static void rare_late_sleeps_stop_few_spins(void **state)
{
	(void)state;
	assert_true(share_spun(1000) > 0.98);
	assert_true(share_spun(100) > 0.95);
	assert_true(share_spun(10) < 0.1);
	assert_true(share_spun(2) < 0.01);
}

static void forked_child_may_spin(void **state)
{
	struct hpt_backoff b = { .process = 1 };

	(void)state;
	for (int i = 0; i < 20; i++)
		hpt_backoff_learn(&b, START, MS);
	assert_true(hpt_backoff_is_on(&b, 1, START));
	assert_false(hpt_backoff_is_on(&b, 2, START));
	assert_int_equal(b.length_ns, 0);
	assert_int_equal(b.process, 2);
}

/* A restored checkpoint, a child in a time namespace, or a number that a handler found half written. */
static void clock_that_was_set_back_stops_no_spins(void **state)
{
	struct hpt_backoff b = { .process = 1, .until_ns = START, .length_ns = -1 };

	(void)state;
	assert_false(hpt_backoff_is_on(&b, 1, START - HPT_BACKOFF_MOST_NS - 1));
	assert_true(hpt_backoff_is_on(&b, 1, START - HPT_BACKOFF_MOST_NS));
	hpt_backoff_learn(&b, START, MS);
	assert_int_equal(b.length_ns, HPT_BACKOFF_LEAST_NS);
	b.length_ns = INT64_MAX;
	hpt_backoff_learn(&b, START, MS);
	assert_int_equal(b.length_ns, HPT_BACKOFF_MOST_NS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_thread_may_spin),
		cmocka_unit_test(sleep_on_time_changes_nothing),
		cmocka_unit_test(late_sleep_begins_the_first_time),
		cmocka_unit_test(times_double_up_to_a_second),
		cmocka_unit_test(spins_of_use_bring_it_down),
		cmocka_unit_test(rare_late_sleeps_stop_few_spins),
		cmocka_unit_test(forked_child_may_spin),
		cmocka_unit_test(clock_that_was_set_back_stops_no_spins),
	};

	return cmocka_run_group_tests_name("backoff", tests, NULL, NULL);
}
