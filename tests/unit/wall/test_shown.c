// SPDX-License-Identifier: MIT
/* What CLOCK_REALTIME has shown before it was set. */
#include "unit.h"

#include "wall/shown.h"

static struct hpt_shown s;

static int begins(void **state)
{
	(void)state;
	s = (struct hpt_shown){ 0 };
	return 0;
}

static void saw(int64_t offset_ns, int64_t width_ns, int64_t mono_ns)
{
	hpt_shown_note(&s, offset_ns, offset_ns + width_ns, mono_ns);
}

static void clock_that_is_not_set_has_shown_nothing(void **state)
{
	(void)state;
	for (int64_t i = 0; i < 100; i++)
		saw(1000000 - i % 7, 20, i * 1000);
	assert_int_equal(s.until_ns, 0);
}

/* Each look leaves what all have in common. The smallest step that the latest would not have missed is both's width. */
static void looks_narrow_the_offset(void **state)
{
	(void)state;
	saw(1000, 500, 1);
	assert_int_equal(s.unseen_ns, 500);
	saw(1100, 50, 2);
	assert_int_equal(s.unseen_ns, 550);
	saw(1000, 300, 3);
	assert_int_equal(s.lo_ns, 1100);
	assert_int_equal(s.hi_ns, 1150);
	assert_int_equal(s.unseen_ns, 350);
	saw(1149, 3, 4);
	assert_int_equal(s.lo_ns, 1149);
	assert_int_equal(s.hi_ns, 1150);
}

static void ranges_that_touch_are_no_step(void **state)
{
	(void)state;
	saw(1000, 10, 1);
	saw(1010, 10, 2);
	saw(1000, 10, 3);
	assert_int_equal(s.until_ns, 0);
	saw(1011, 10, 4);
	assert_int_equal(s.until_ns, 4 + 1010);
}

static void step_either_way_ends_what_was_shown(void **state)
{
	static const int64_t steps_ns[] = { 11, -11, 1000000, -1000000, INT64_C(3600000000000) };

	for (size_t i = 0; i < COUNT(steps_ns); i++) {
		begins(state);
		saw(10000000, 10, 500);
		saw(10000000 + steps_ns[i], 10, 900);
		assert_int_equal(s.until_ns, 10000010 + 900);
		assert_int_equal(s.lo_ns, 10000000 + steps_ns[i]);
		assert_int_equal(s.hi_ns, 10000010 + steps_ns[i]);
		assert_int_equal(s.unseen_ns, 10);
	}
}

/* Set back by an hour, and later on by a second: the hour is still shown a second time. */
static void farthest_time_of_several_steps_counts(void **state)
{
	(void)state;
	saw(7200, 0, 1);
	saw(3600, 0, 2);
	assert_int_equal(s.until_ns, 7202);
	saw(3601, 0, 3);
	assert_int_equal(s.until_ns, 7202);
	saw(3601, 0, 5000);
	saw(0, 0, 5001);
	assert_int_equal(s.until_ns, 8602);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(clock_that_is_not_set_has_shown_nothing, begins),
		cmocka_unit_test_setup(looks_narrow_the_offset, begins),
		cmocka_unit_test_setup(ranges_that_touch_are_no_step, begins),
		cmocka_unit_test_setup(step_either_way_ends_what_was_shown, begins),
		cmocka_unit_test_setup(farthest_time_of_several_steps_counts, begins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
