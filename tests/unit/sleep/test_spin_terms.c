// SPDX-License-Identifier: MIT
/* Limits of CPU time, and what may be spun by them. */
#include "unit.h"

#include "sleep/spin_terms.h"

#define NS_PER_MS INT64_C(1000000)
#define NO_LIMIT  UINT32_MAX

static struct hpt_spin_terms terms(uint32_t cpus, uint32_t quota, int64_t rttime_ns, bool is_deadline)
{
	struct hpt_surroundings s = { cpus, quota, rttime_ns, is_deadline };
	struct hpt_spin_terms t;

	hpt_spin_terms(&s, &t);
	return t;
}

static void half_of_the_cpus_may_spin(void **state)
{
	static const struct {
		uint32_t cpus, spinners, strict;
	} rows[] = {
		{ 0, 1, 1 }, { 1, 1, 1 }, { 2, 1, 2 }, { 3, 1, 3 }, { 4, 2, 4 }, { 255, 127, 255 },
		{ UINT32_MAX, UINT32_MAX / 2, UINT32_MAX },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_spin_terms t = terms(rows[i].cpus, 0, INT64_MAX, false);

		assert_int_equal(t.spinners, rows[i].spinners);
		assert_int_equal(t.strict_spinners, rows[i].strict);
		assert_int_equal(t.process_millicpus, NO_LIMIT);
		assert_int_equal(t.block_after_ns, 50 * NS_PER_MS);
		assert_int_equal(t.awake_most_ns, INT64_MAX);
		assert_int_equal(t.limit, HPT_SPIN_LIMIT_CPUS);
	}
}

static void a_tenth_of_a_quota_may_be_spun(void **state)
{
	static const struct {
		uint32_t quota, millicpus;
	} rows[] = {
		{ 1, 0 }, { 50, 0 }, { 249, 0 }, { 250, 25 }, { 500, 50 }, { 1000, 100 }, { 3999, 399 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_spin_terms t = terms(4, rows[i].quota, INT64_MAX, false);

		assert_int_equal(t.process_millicpus, rows[i].millicpus);
		assert_int_equal(t.spinners, rows[i].millicpus ? 2 : 0);
		assert_int_equal(t.strict_spinners, rows[i].millicpus ? 4 : 0);
		assert_int_equal(t.limit, rows[i].millicpus ? HPT_SPIN_LIMIT_QUOTA : HPT_SPIN_LIMIT_SMALL_QUOTA);
		assert_int_equal(t.block_after_ns, 50 * NS_PER_MS);
	}
}

/* Such a quota stops no process on that many CPUs. */
static void a_quota_of_all_cpus_is_none(void **state)
{
	static const uint32_t quotas[] = { 4000, 4001, 64000, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(quotas); i++) {
		struct hpt_spin_terms t = terms(4, quotas[i], INT64_MAX, false);

		assert_int_equal(t.process_millicpus, UINT32_MAX);
		assert_int_equal(t.limit, HPT_SPIN_LIMIT_CPUS);
	}
	assert_int_equal(terms(UINT32_MAX, UINT32_MAX, INT64_MAX, false).process_millicpus, UINT32_MAX / 10);
}

/* A quarter of the limit, so that the thread's own work and a late wake have the rest. */
static void threads_block_long_before_rttime(void **state)
{
	static const struct {
		int64_t rttime_ns, after_ns;
	} rows[] = {
		{ 0, 1 }, { 1, 1 }, { 4, 2 }, { 1000, 251 }, { 100 * NS_PER_MS, 25 * NS_PER_MS + 1 },
		{ 200 * NS_PER_MS - 5, 50 * NS_PER_MS - 1 }, { 200 * NS_PER_MS - 4, 50 * NS_PER_MS },
		{ 1000 * NS_PER_MS, 50 * NS_PER_MS }, { INT64_MAX - 1, 50 * NS_PER_MS },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_spin_terms t = terms(8, 0, rows[i].rttime_ns, false);

		assert_int_equal(t.block_after_ns, rows[i].after_ns);
		assert_int_equal(t.awake_most_ns, rows[i].rttime_ns / 4 + 1);
		assert_int_equal(t.spinners, 4);
		assert_int_equal(t.process_millicpus, NO_LIMIT);
		assert_int_equal(t.limit, rows[i].after_ns < 50 * NS_PER_MS ? HPT_SPIN_LIMIT_RTTIME :
									       HPT_SPIN_LIMIT_CPUS);
	}
}

static void deadline_threads_do_not_spin(void **state)
{
	struct hpt_spin_terms t = terms(8, 0, INT64_MAX, true);

	(void)state;
	assert_int_equal(t.spinners + t.strict_spinners + t.process_millicpus, 0);
	assert_int_equal(t.limit, HPT_SPIN_LIMIT_DEADLINE);
}

static void two_limits_hold_together(void **state)
{
	struct hpt_spin_terms t = terms(8, 2000, 40 * NS_PER_MS, false);

	(void)state;
	assert_int_equal(t.block_after_ns, 10 * NS_PER_MS + 1);
	assert_int_equal(t.process_millicpus, 200);
	assert_int_equal(t.limit, HPT_SPIN_LIMIT_QUOTA);
	t = terms(8, 2000, 40 * NS_PER_MS, true);
	assert_int_equal(t.block_after_ns, 10 * NS_PER_MS + 1);
	assert_int_equal(t.process_millicpus, 0);
	assert_int_equal(t.limit, HPT_SPIN_LIMIT_DEADLINE);
	t = terms(8, 20, 40 * NS_PER_MS, true);
	assert_int_equal(t.limit, HPT_SPIN_LIMIT_DEADLINE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_of_the_cpus_may_spin),
		cmocka_unit_test(a_tenth_of_a_quota_may_be_spun),
		cmocka_unit_test(a_quota_of_all_cpus_is_none),
		cmocka_unit_test(threads_block_long_before_rttime),
		cmocka_unit_test(deadline_threads_do_not_spin),
		cmocka_unit_test(two_limits_hold_together),
	};

	return cmocka_run_group_tests_name("spin terms", tests, NULL, NULL);
}
