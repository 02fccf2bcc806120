// SPDX-License-Identifier: MIT
/* The rate between two marks: by hand, and of this machine's clock. */
#include <stdint.h>

#include "unit.h"

#include "../../tools/drift.h"

static struct hpt_drift between(int64_t ticks, int64_t width, int64_t raw_ns, double ns_a_tick)
{
	struct hpt_drift_mark first = { 1000, 1000 + width, 5000 }, last = { 1000 + ticks, 1000 + ticks + width, 5000 + raw_ns };

	return hpt_drift_between(&first, &last, ns_a_tick);
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
	/* half of two brackets of 100 ns, a tick, and the reference's nanosecond, of a second */
	assert_int_equal(between(1000000000, 100, 1000000000, 1).uncertainty_ppb, 102);
	assert_int_equal(between(1000000000, 0, 1000000000, 1).uncertainty_ppb, 2);
	assert_int_equal(between(10000000, 2, 1000000000, 100).uncertainty_ppb, 301);
	assert_int_equal(between(1000000000, 100, 1000000000, 1).error_ppb, 0);
}

static void no_time_is_no_rate(void **state)
{
	(void)state;
	assert_int_equal(between(5, 0, 0, 1).error_ppb, 0);
	assert_int_equal(between(5, 0, -1, 1).uncertainty_ppb, 0);
	assert_int_equal(between(INT64_MAX / 2, 0, 1, 1e9).error_ppb, INT64_MAX);
}

static void marks_hold_the_reference_between_them(void **state)
{
	struct hpt_drift_mark first, last;
	hpt_clock *os;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, &os), 0);
	hpt_drift_mark(os, &first);
	hpt_drift_mark(os, &last);
	assert_true(first.before <= first.after && first.after <= last.before);
	assert_true(first.raw_ns <= last.raw_ns);
	hpt_clock_close(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rate_is_parts_per_billion_of_the_reference),
		cmocka_unit_test(brackets_and_steps_are_what_is_uncertain),
		cmocka_unit_test(no_time_is_no_rate),
		cmocka_unit_test(marks_hold_the_reference_between_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
