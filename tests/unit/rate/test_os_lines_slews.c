// SPDX-License-Identifier: MIT
/* The lines of the kernel's four clocks while these are slewed: what is stated of them, and when they are looked at. */
#include "os_lines_world.h"

/* In this world slews are of true time, which is 500 ppm longer than CLOCK_MONOTONIC_RAW's. */
static const int64_t slews_ppm[] = { 500, -500, 83333, -83333, 100900, -100900 };

/* Slews that begin and end between two looks, up to all of the time between them. */
static void statement_covers_slews_between_two_looks(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(slews_ppm); i++) {
		int64_t worst_ns = 0;

		new_lines();
		for (int n = 0; n < 100; n++) {
			int64_t off;

			use(4 * PS_PER_S, 20 * PS_PER_MS);
			pass(random_below(300 * PS_PER_MS));
			fake_world_slew(&world.wall, slews_ppm[i] * 1000);
			pass(random_below(900 * PS_PER_MS));
			fake_world_slew(&world.wall, 0);
			pass(random_below(random_below(2) ? 300 * PS_PER_MS : PS_PER_MS));
			assert_as_stated();
			off = furthest_off_ns();
			worst_ns = off > worst_ns ? off : worst_ns;
		}
		note("%lld ppm: %lld ns off at most", (long long)slews_ppm[i], (long long)worst_ns);
		assert_true(worst_ns > llabs(slews_ppm[i]) * 100);
	}
}

/* By how much the statement grows in a millisecond, and how long a segment is. */
static void statement_grows_with_the_age_of_the_look(void **state)
{
	int64_t at_once_ns, later_ns;

	(void)state;
	new_lines();
	settle();
	hpt_clock_check(&clk, NULL);
	at_once_ns = info().os_error_ns;
	pass(10 * PS_PER_MS);
	later_ns = info().os_error_ns;
	assert_in_range(later_ns - at_once_ns, 1009000, 1011000);
}

/* A line that is still making up for an error says so, long after the look that found it. */
static void statement_has_what_the_line_makes_up_for(void **state)
{
	(void)state;
	slew_back_unseen();
	hpt_clock_check(&clk, NULL);
	assert_in_range(llabs(off_ns(&lines[1])), 30000000, 35000000);
	assert_in_range(info().os_error_ns, 30000000, 35000000);
	for (int i = 0; i < 2000; i++) {
		assert_as_stated();
		pass(PS_PER_MS);
	}
	assert_in_range(furthest_off_ns(), 0, 100);
}

static int64_t segment_ns(void)
{
	struct hpt_record rec;

	hpt_timekeeper_now(&clk, &rec);
	return hpt_scale_round((int64_t)rec.convert.span, rec.convert.ns_per_tick);
}

/* The latest samples contain the truth even if no slope that was known does. */
static void proof_of_the_latest_samples_holds_in_any_slew(void **state)
{
	(void)state;
	for (int n = 0; n < 3000; n++) {
		struct hpt_record rec, next;
		struct hpt_samples s;
		int64_t off_fs;

		if (n % 500 == 0) {
			new_lines();
			settle();
			world.jitter_ps = jitter;
		}
		rec = record();
		fake_world_slew(&world.wall, slews_ppm[random_below(COUNT(slews_ppm))] * 1000);
		hpt_samples_take(&clk.src, &s);
		hpt_record_next(&rec, &s, &next);
		world.now_ps = (next.unix_now.tick - world.tick_offset) * world.tick_ps; /* back to that tick */
		off_fs = (fake_world_true_ns(CLOCK_REALTIME) - next.unix_now.ref_ns) * 1000000;
		if (off_fs < next.unix_now.lo_fs - 1000000 || off_fs > next.unix_now.hi_fs)
			fail_msg("%lld fs are not in %lld to %lld", (long long)off_fs, (long long)next.unix_now.lo_fs,
				 (long long)next.unix_now.hi_fs);
		pass(1000000000);
	}
}

static void fast_slew_is_looked_at_each_millisecond(void **state)
{
	(void)state;
	for (int sign = -1; sign <= 1; sign += 2) {
		new_lines();
		settle();
		assert_in_range(segment_ns(), 100000000, 1000000001);
		fake_world_slew(&world.wall, sign * INT64_C(83333000));
		use(PS_PER_S + PS_PER_S / 10, 10 * PS_PER_MS);
		for (int i = 0; i < 50; i++) {
			use(PS_PER_MS, PS_PER_MS / 10);
			assert_in_range(segment_ns(), 1, 1000001);
		}
		fake_world_slew(&world.wall, 0);
		use(990 * PS_PER_MS, PS_PER_MS);
		assert_in_range(segment_ns(), 1, 1000001);
		use(3 * PS_PER_S, PS_PER_MS);
		assert_in_range(segment_ns(), 100000000, 1000000001);
	}
}

/* NTP's own range: looks stay as they are. */
static void slow_slew_is_not(void **state)
{
	(void)state;
	new_lines();
	settle();
	fake_world_slew(&world.wall, 499000);
	use(4 * PS_PER_S, 10 * PS_PER_MS);
	assert_in_range(segment_ns(), 100000000, 1000000001);
	assert_in_range(furthest_off_ns(), 0, 100);
}

/* A step is no slew: no looks each millisecond after it. */
static void step_is_no_fast_slew(void **state)
{
	(void)state;
	for (int sign = -1; sign <= 1; sign += 2) {
		new_lines();
		settle();
		world.realtime_offset_ns += sign * 3 * NS_PER_S;
		use(PS_PER_S, PS_PER_MS);
		use(PS_PER_S / 2, PS_PER_MS);
		assert_in_range(segment_ns(), 1000001, 1000000001);
	}
}

/* A slope that differs from a rate which was a guess says nothing of a slew. */
static void rate_that_is_learned_is_no_fast_slew(void **state)
{
	(void)state;
	new_clock(400);
	settle();
	world.tick_offset += 1000000000000;
	world.tick_offset += world.now_ps / 400 - world.now_ps / 440;
	world.tick_ps = 440;
	hpt_clock_check(&clk, NULL);
	assert_false(has_rate());
	use(20 * PS_PER_MS, PS_PER_MS);
	assert_true(has_rate());
	assert_int_equal(record().calm_ns, NS_PER_S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(statement_covers_slews_between_two_looks, fake_env_setup),
		cmocka_unit_test_setup(statement_grows_with_the_age_of_the_look, fake_env_setup),
		cmocka_unit_test_setup(statement_has_what_the_line_makes_up_for, fake_env_setup),
		cmocka_unit_test_setup(proof_of_the_latest_samples_holds_in_any_slew, fake_env_setup),
		cmocka_unit_test_setup(fast_slew_is_looked_at_each_millisecond, fake_env_setup),
		cmocka_unit_test_setup(slow_slew_is_not, fake_env_setup),
		cmocka_unit_test_setup(step_is_no_fast_slew, fake_env_setup),
		cmocka_unit_test_setup(rate_that_is_learned_is_no_fast_slew, fake_env_setup),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
