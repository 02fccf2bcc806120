// SPDX-License-Identifier: MIT
/* Statistics of a sweep with known misses: by band and by length. */
#include "unit.h"

#include "bench/sweep_summary.h"
#include "fake_sleeps.h"

static int set_up(void **state)
{
	(void)state;
	fake_reset();
	return 0;
}

static void bands_part_at_the_kernels_tick(void **state)
{
	const struct sweep_plan plan = fake_plan(3);
	const struct sweep_stats *f;
	struct sweep s;

	(void)state;
	fake_sweep(&plan, &s);
	assert_int_equal(s.rounds_done, 3);
	for (unsigned way = 0; way < CANDIDATES; way++) {
		assert_int_equal(s.bands[way][BAND_ALL].sleeps, 12);
		assert_int_equal(s.bands[way][BAND_LONG].sleeps, 6); /* 8 ms and 4 ms, where 4 ms is the jiffy */
		assert_int_equal(s.bands[way][BAND_SHORT].sleeps, 6);
	}
	f = s.bands[CANDIDATE_PAPERS];
	assert_int_equal(f[BAND_LONG].miss.median, 425000);
	assert_int_equal(f[BAND_LONG].miss.min, 425000);
	assert_int_equal(f[BAND_SHORT].miss.max, 55000);
	assert_int_equal(f[BAND_ALL].miss.mean, 240000);
	assert_int_equal(s.lengths[CANDIDATE_PAPERS][1].miss.max, 425000);
	assert_int_equal(s.lengths[CANDIDATE_PAPERS][2].miss.max, 55000);
	fake_drop(&s);
}

static void sweep_of_one_band_has_none_of_the_other(void **state)
{
	struct sweep_plan plan = fake_plan(2);
	struct sweep s;

	(void)state;
	plan.longest_ns = 3999999;
	fake_sweep(&plan, &s);
	assert_int_equal(s.bands[0][BAND_LONG].sleeps, 0);
	assert_int_equal(s.bands[0][BAND_SHORT].sleeps, s.bands[0][BAND_ALL].sleeps);
	fake_drop(&s);
}

static void misses_are_by_length_and_by_deadline(void **state)
{
	const struct sweep_plan plan = fake_plan(3);
	const struct sweep_stats *f;
	struct sweep s;

	(void)state;
	fake_sweep(&plan, &s);
	f = &s.lengths[CANDIDATE_UNTIL][0];
	assert_int_equal(f->miss.min, 150000);
	assert_int_equal(f->miss.median, 151000);
	assert_int_equal(f->miss.max, 152000);
	assert_int_equal(f->deadline_miss.median, 51000);
	f = &s.lengths[CANDIDATE_PAPERS][0];
	assert_int_equal(f->deadline_miss.median, 405000);
	assert_int_equal(s.lengths[CANDIDATE_FOR][0].deadline_miss.count, 0);
	assert_int_equal(s.lengths[CANDIDATE_NANO][0].deadline_miss.count, 0);
	assert_int_equal(s.disturbed, 2 * 4);
	fake_drop(&s);
}

static void entry_and_exit_are_measured_derived_or_unknown(void **state)
{
	const struct sweep_plan plan = fake_plan(3);
	const struct sweep_stats *f;
	struct sweep s;

	(void)state;
	fake_sweep(&plan, &s);
	f = &s.lengths[CANDIDATE_PAPERS][0];
	assert_int_equal(f->entry.median, 20000);
	assert_int_equal(f->exit.median, 400000);
	assert_false(f->entry_is_derived || f->exit_is_derived);
	f = &s.lengths[CANDIDATE_FOR][0]; /* 180 + 3r minus 50 + r, in the same round */
	assert_true(f->entry_is_derived);
	assert_int_equal(f->entry.min, 130000);
	assert_int_equal(f->entry.median, 132000);
	assert_int_equal(f->entry.max, 134000);
	for (unsigned way = CANDIDATE_UNTIL; way <= CANDIDATE_FOR; way++) { /* 50 + r */
		f = &s.lengths[way][0];
		assert_true(f->exit_is_derived);
		assert_int_equal(f->exit.count, 3);
		assert_int_equal(f->exit.min, 50000);
		assert_int_equal(f->exit.max, 52000);
	}
	assert_int_equal(s.lengths[CANDIDATE_UNTIL][0].entry.count, 0);
	for (unsigned way = CANDIDATE_NANO; way <= CANDIDATE_ABSOLUTE; way++) {
		assert_int_equal(s.lengths[way][0].entry.count, 0);
		assert_int_equal(s.lengths[way][0].exit.count, 0);
		assert_false(s.lengths[way][0].exit_is_derived);
	}
	assert_int_equal(s.bands[CANDIDATE_FOR][BAND_LONG].entry.median, 132000);
	fake_drop(&s);
}

static void early_is_by_target_or_else_by_length(void **state)
{
	const struct sweep_plan plan = fake_plan(2);
	struct sweep s;

	(void)state;
	fake_sweep(&plan, &s);
	for (unsigned way = 0; way < CANDIDATES; way++)
		assert_int_equal(s.bands[way][BAND_ALL].early, way == CANDIDATE_ABSOLUTE ? 8 : 0);
	fake_drop(&s);
	fake_until_late = -51; /* ends at the target minus 1 in the first round, at the target in the second */
	fake_for_late = -181;
	fake_sweep(&plan, &s);
	assert_int_equal(s.bands[CANDIDATE_UNTIL][BAND_ALL].early, 4);
	assert_int_equal(s.bands[CANDIDATE_FOR][BAND_ALL].early, 4);
	assert_int_equal(s.bands[CANDIDATE_FOR][BAND_SHORT].early, 2);
	assert_int_equal(s.lengths[CANDIDATE_FOR][0].early, 1);
	fake_drop(&s);
}

static void shares_are_of_the_time_slept(void **state)
{
	const struct sweep_plan plan = fake_plan(2);
	struct sleep_times *times;
	struct sweep s;

	(void)state;
	fake_prepare(&plan, &s);
	fake_run(&s);
	for (uint32_t round = 0; round < 2; round++)
		for (unsigned length = 0; length < 4; length++) {
			times = sweep_times(&s, CANDIDATE_NANO, round, length);
			times->after = times->before + 1000000; /* 1 ms each */
			times->cpu_ns = round * 200000 + length * 1000;
			times->user_us = 30 * length;
			times->system_us = 7;
		}
	sweep_summarise(&s);
	assert_int_equal(s.lengths[CANDIDATE_NANO][2].cpu_ppm, 102000);
	assert_int_equal(s.bands[CANDIDATE_NANO][BAND_ALL].cpu_ppm, 101500);
	assert_int_equal(s.bands[CANDIDATE_NANO][BAND_LONG].cpu_ppm, 100500);
	assert_int_equal(s.bands[CANDIDATE_NANO][BAND_LONG].user_ppm, 15000);
	assert_int_equal(s.bands[CANDIDATE_NANO][BAND_SHORT].system_ppm, 7000);
	fake_drop(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(bands_part_at_the_kernels_tick, set_up),
		cmocka_unit_test_setup(sweep_of_one_band_has_none_of_the_other, set_up),
		cmocka_unit_test_setup(misses_are_by_length_and_by_deadline, set_up),
		cmocka_unit_test_setup(entry_and_exit_are_measured_derived_or_unknown, set_up),
		cmocka_unit_test_setup(early_is_by_target_or_else_by_length, set_up),
		cmocka_unit_test_setup(shares_are_of_the_time_slept, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
