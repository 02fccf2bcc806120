// SPDX-License-Identifier: MIT
/* The rate between two samples: computed by hand, and of this machine's clock. */
#include <stdint.h>

#include "unit.h"

/* White box: the detection of a coarse reference is static. */
#include "../../../tools/check/drift.c"

static int64_t step, raw_step_of_last = 1;

static struct drift between(int64_t ticks, int64_t width, int64_t raw_ns, double ns_a_tick)
{
	struct drift_sample first = { 1000, 1000 + width, 5000, 1 };
	struct drift_sample last = { 1000 + ticks, 1000 + ticks + width, 5000 + raw_ns, raw_step_of_last };

	return drift_between(&first, &last, ns_a_tick, step);
}

static void rate_is_parts_per_billion_of_the_reference(void **state)
{
	(void)state;
	assert_int_equal(between(1000000000, 0, 1000000000, 1).error_ppb, 0);
	assert_int_equal(between(1000001000, 0, 1000000000, 1).error_ppb, 1000);
	assert_int_equal(between(999999000, 0, 1000000000, 1).error_ppb, -1000);
	assert_int_equal(between(2000000000, 0, 1000000000, 1).error_ppb, 1000000000);
	assert_int_equal(between(10000000, 0, 1000000000, 100).error_ppb, 0); /* a tick of 100 ns */
	assert_int_equal(between(1000000000, 0, 1000000000, 1).raw_ns, 1000000000);
}

static void brackets_and_steps_are_what_is_uncertain(void **state)
{
	(void)state;
	/* half of two brackets of 100 ns, a tick, and the reference's nanosecond, in one second */
	assert_int_equal(between(1000000000, 100, 1000000000, 1).uncertainty_ppb, 102);
	assert_int_equal(between(1000000000, 0, 1000000000, 1).uncertainty_ppb, 2);
	assert_int_equal(between(10000000, 2, 1000000000, 100).uncertainty_ppb, 301);
	assert_int_equal(between(1000000000, 100, 1000000000, 1).error_ppb, 0);
}

static void brackets_of_a_clock_that_runs_backwards_are_none(void **state)
{
	(void)state;
	assert_int_equal(between(1000000000, -100000, 1000000000, 1).uncertainty_ppb, 2);
	assert_int_equal(between(1000000000, -100000, 1000000000, 1).error_ppb, 0);
}

static void coarse_steps_are_uncertain_too(void **state)
{
	(void)state;
	step = 4000000;
	assert_int_equal(between(1000000000, 0, 1000000000, 1).uncertainty_ppb, 4000002);
	step = 0;
	raw_step_of_last = 30518;
	assert_int_equal(between(1000000000, 0, 1000000000, 1).uncertainty_ppb, 30519);
	raw_step_of_last = 1;
}

static void step_of_the_reference_shows_where_readings_repeat(void **state)
{
	static const int64_t fine[] = { 100, 141, 190, 231 }, coarse[] = { 0, 0, 30518, 30518, 30518, 61036 },
			     later[] = { 0, 0, 30518, 91554 }, still[] = { 7, 7, 7 };
	struct timespec jiffy;

	(void)state;
	assert_int_equal(raw_step_ns(fine, 4), 1);
	assert_int_equal(raw_step_ns(coarse, 6), 30518);
	assert_int_equal(raw_step_ns(later, 4), 30518);
	assert_int_equal(clock_getres(CLOCK_MONOTONIC_COARSE, &jiffy), 0);
	assert_int_equal(raw_step_ns(still, 3), jiffy.tv_nsec);
}

static void no_time_is_no_rate(void **state)
{
	(void)state;
	assert_int_equal(between(5, 0, 0, 1).error_ppb, 0);
	assert_int_equal(between(5, 0, -1, 1).uncertainty_ppb, 0);
	assert_int_equal(between(INT64_MAX / 2, 0, 1, 1e9).error_ppb, INT64_MAX);
	assert_int_equal(drift_between(&(struct drift_sample){ INT64_MIN, INT64_MIN, 0, 1 },
					   &(struct drift_sample){ INT64_MAX, INT64_MAX, 1, 1 }, 1, 0).error_ppb,
			 INT64_MAX);
}

static void marks_hold_the_reference_between_them(void **state)
{
	struct drift_sample first, last;
	hpt_clock *os;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	drift_sample(os, &first);
	drift_sample(os, &last);
	assert_true(first.before <= first.after && first.after <= last.before);
	assert_true(first.raw_ns <= last.raw_ns);
	hpt_clock_close(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rate_is_parts_per_billion_of_the_reference),
		cmocka_unit_test(brackets_and_steps_are_what_is_uncertain),
		cmocka_unit_test(brackets_of_a_clock_that_runs_backwards_are_none),
		cmocka_unit_test(coarse_steps_are_uncertain_too),
		cmocka_unit_test(step_of_the_reference_shows_where_readings_repeat),
		cmocka_unit_test(no_time_is_no_rate),
		cmocka_unit_test(marks_hold_the_reference_between_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
