// SPDX-License-Identifier: MIT
/* Wakes that sleeps share: as far apart as a slack allows, and never early. */
#include "unit.h"

#include "preload/grid.h"

static void grid_is_as_wide_as_the_slack_allows(void **state)
{
	(void)state;
	assert_int_equal(hpt_grid_of(0), 0);
	assert_int_equal(hpt_grid_of(-1), 0);
	assert_int_equal(hpt_grid_of(1), 1);
	assert_int_equal(hpt_grid_of(50000), 50000);
	assert_int_equal(hpt_grid_of(100000), 100000);
	assert_int_equal(hpt_grid_of(INT64_MAX), 100000);
}

static void wakes_are_shared_and_never_early(void **state)
{
	(void)state;
	assert_int_equal(hpt_grid_next_ns(0, 32768), 0);
	assert_int_equal(hpt_grid_next_ns(1, 32768), 32768);
	assert_int_equal(hpt_grid_next_ns(32767, 32768), 32768);
	assert_int_equal(hpt_grid_next_ns(32768, 32768), 32768);
	assert_int_equal(hpt_grid_next_ns(32769, 32768), 65536);
	for (int i = 0; i < 1000; i++) {
		int64_t at = (int64_t)random_below(INT64_MAX / 2), grid = 1 + (int64_t)random_below(100000);
		int64_t next_ns = hpt_grid_next_ns(at, grid);

		assert_true(next_ns >= at && next_ns < at + grid && next_ns % grid == 0);
	}
}

static void without_a_grid_nothing_is_shared(void **state)
{
	(void)state;
	assert_int_equal(hpt_grid_next_ns(12345, 0), 12345);
	assert_int_equal(hpt_grid_next_ns(-5, 4096), -5);
	assert_true(hpt_grid_next_ns(INT64_MAX, 4096) == INT64_MAX);
	assert_true(hpt_grid_next_ns(INT64_MAX - 4095, 4096) == INT64_MAX - 4095);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grid_is_as_wide_as_the_slack_allows),
		cmocka_unit_test(wakes_are_shared_and_never_early),
		cmocka_unit_test(without_a_grid_nothing_is_shared),
	};

	random_start();
	return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
