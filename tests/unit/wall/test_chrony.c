// SPDX-License-Identifier: MIT
/* The source CHRONY: what is made of chronyd's answers. */
#include "chrony_world.h"

/* The sign of the correction: positive is to be added to CLOCK_REALTIME. And the error is stated as it is. */
static void correction_leads_to_utc(void **state)
{
	static const int64_t off_ns[] = { 0, 1, -1, 4000000, -4000000, 300000000, -300000000, INT64_C(86400000000000),
					  -INT64_C(86400000000000) };

	for (size_t i = 0; i < COUNT(off_ns); i++) {
		begin(state);
		set_realtime(off_ns[i]);
		check_answer();
		/* 2 us; and a correction of a day is rounded to 5 ms. */
		assert_in_range((uint64_t)(reading.sample.latest_ns - reading.sample.earliest_ns), 200000,
				202000 + (i >= 7 ? 32000000 : 0) + (i >= 5 ? 200 : 0));
		assert_int_equal(reading.leap, HPT_WALL_LEAP_ABSENT);
		assert_false(reading.is_holdover);
		assert_in_range((uint64_t)(utc_now() - reading.updated_ns), 4 * NS_PER_S,
				4 * NS_PER_S + 100000);
	}
}

static void switch_slew(void)
{
	fake_world_slew(&world.wall, random_below(3) ? 0 : (int64_t)random_below(1000000) - 500000);
}

/* Whatever it states, wherever in that the truth is, however long it takes and CLOCK_REALTIME is slewed. */
static void sample_holds_utc(void **state)
{
	for (int i = 0; i < rounds(100000); i++) {
		double half_s;

		if (i % 1000 == 0)
			begin(state);
		chronyd.delay_s = pow(10, -9 + (double)random_below(1000) / 100);
		chronyd.dispersion_s = pow(10, -9 + (double)random_below(1000) / 100);
		half_s = chronyd.delay_s / 2 + chronyd.dispersion_s;
		chronyd.off_s = random_below(4) ? half_s * ((double)random_below(2001) / 1000 - 1) :
				random_below(2) ? half_s : -half_s;
		chronyd.there_ps = random_below(100000000);
		chronyd.back_ps = random_below(100000000);
		chronyd.meanwhile = random_below(2) ? switch_slew : NULL;
		utc_ppb = (int64_t)random_below(100001) - 50000;
		fake_world_slew(&world.wall, (int64_t)random_below(1000000) - 500000);
		set_realtime((int64_t)random_below(UINT64_C(1) << random_below(40)) * (random_below(2) ? 1 : -1));
		assert_int_equal(ask(), HPT_WALL_REASON_NONE);
		if (!holds_utc(&reading.sample))
			fail_msg("delay %g dispersion %g off %g", chronyd.delay_s, chronyd.dispersion_s, chronyd.off_s);
	}
}

static void fast_slew(void)
{
	fake_world_slew(&world.wall, 83333000);
}

/* chronyd's fastest slew, which begins meanwhile: what it moves counts. */
static void slews_widen_it(void **state)
{
	int64_t narrow_ns;

	(void)state;
	check_answer();
	narrow_ns = reading.sample.latest_ns - reading.sample.earliest_ns;
	fake_world_slew(&world.wall, -83333000);
	chronyd.off_s = 100e-6;
	check_answer();
	chronyd.off_s = -100e-6;
	check_answer();
	assert_in_range((uint64_t)(reading.sample.latest_ns - reading.sample.earliest_ns - narrow_ns), 13300, 16000);
	fake_world_slew(&world.wall, 0);
	chronyd.meanwhile = fast_slew;
	check_answer();
	chronyd.off_s = 100e-6;
	check_answer();
}

static void step(void)
{
	world.realtime_offset_ns += 1000000;
}

static void step_back(void)
{
	world.realtime_offset_ns -= INT64_C(3600000000000);
}

static void steps_meanwhile_refuse_it(void **state)
{
	(void)state;
	chronyd.meanwhile = step;
	check_refused(HPT_WALL_REASON_STEPPED, 0);
	chronyd.meanwhile = step_back;
	check_refused(HPT_WALL_REASON_STEPPED, 0);
	chronyd.meanwhile = NULL;
	check_answer();
}

/* CLOCK_REALTIME was set back, and chronyd has not noticed: the latest update is in the future. */
static void update_in_the_future(void **state)
{
	(void)state;
	chronyd.age_s = -0.01;
	check_refused(HPT_WALL_REASON_STEPPED, 0);
	chronyd.age_s = -3600;
	check_refused(HPT_WALL_REASON_STEPPED, 0);
	chronyd.age_s = 0;
	check_answer();
}

static void leap_status(void **state)
{
	(void)state;
	chronyd.leap = 1;
	check_answer();
	assert_int_equal(reading.leap, HPT_WALL_LEAP_INSERTED);
	chronyd.leap = 2;
	check_answer();
	assert_int_equal(reading.leap, HPT_WALL_LEAP_LEFT_OUT);
	for (uint32_t leap = 3; leap < 65536; leap += 1 + leap / 2) {
		chronyd.leap = (uint16_t)leap;
		check_refused(HPT_WALL_REASON_UNSYNCED, 0);
	}
}

static void what_is_not_synchronised(void **state)
{
	static const uint16_t strata[] = { 0, 16, 17, 65535 };

	for (size_t i = 0; i < COUNT(strata); i++) {
		begin(state);
		chronyd.stratum = strata[i];
		check_refused(HPT_WALL_REASON_UNSYNCED, 0);
	}
	begin(state);
	chronyd.stratum = 15;
	check_answer();
	chronyd.ref_id = 0;
	check_refused(HPT_WALL_REASON_UNSYNCED, 0);
	/* "local stratum 10": its own clock, with an error of 0. */
	chronyd.ref_id = 0x7f7f0101;
	chronyd.stratum = 10;
	chronyd.delay_s = chronyd.dispersion_s = 0;
	check_refused(HPT_WALL_REASON_UNSYNCED, 0);
	/* As chronyd answers while it is not synchronised: reference.c, REF_GetReferenceParams(). */
	chronyd.ref_id = chronyd.stratum = 0;
	chronyd.leap = 3;
	chronyd.delay_s = chronyd.dispersion_s = 1;
	check_refused(HPT_WALL_REASON_UNSYNCED, 0);
}

static void silent_for_too_long(void **state)
{
	static const struct { double interval_s, age_s; bool is_holdover; } rows[] = {
		{ 16, 0, false }, { 16, 128, false }, { 16, 128.9, false }, { 16, 129.1, true }, { 16, 86400, true },
		{ 0, 60.9, false }, { 0, 61.1, true }, { 1, 8.9, false }, { 1, 9.1, true }, { 1024, 8192, false },
		{ 1e12, 86400, false }, { 1e18, 86400, false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		begin(state);
		chronyd.interval_s = rows[i].interval_s;
		chronyd.age_s = rows[i].age_s;
		check_answer();
		if (reading.is_holdover != rows[i].is_holdover)
			fail_msg("%g s, of every %g", rows[i].age_s, rows[i].interval_s);
	}
}

static void spoil_zero_time(void)
{
	memset(chronyd.reply + 56, 0, 12);
}

static void spoil_far_time(void)
{
	put_32(chronyd.reply + 56, 5); /* whose nanoseconds are positive again, modulo 2^64 */
}

static void spoil_float(void)
{
	put_32(chronyd.reply + 68, 0x7effffff); /* the largest */
}

static void impossible_values(void **state)
{
	static const struct { double delay_s, dispersion_s; } rows[] = {
		{ -1e-9, 0 }, { 0, -1e-9 }, { -16, 16 }, { 16.1, 0 }, { 0, 16.1 }, { 1e18, 0 }, { 0, 1e18 },
		{ -1e18, 1e18 },
	};
	static void (*const spoils[])(void) = { spoil_zero_time, spoil_far_time, spoil_float };

	for (size_t i = 0; i < COUNT(rows); i++) {
		begin(state);
		chronyd.delay_s = rows[i].delay_s;
		chronyd.dispersion_s = rows[i].dispersion_s;
		check_refused(HPT_WALL_REASON_ABSURD, 0);
	}
	for (size_t i = 0; i < COUNT(spoils); i++) {
		begin(state);
		chronyd.spoil = spoils[i];
		check_refused(HPT_WALL_REASON_ABSURD, 0);
	}
	begin(state);
	chronyd.interval_s = -1;
	check_refused(HPT_WALL_REASON_ABSURD, 0);
	/* UTC before 1970. */
	begin(state);
	chronyd.off_s = -2e9;
	check_refused(HPT_WALL_REASON_ABSURD, 0);
	/* Exact, as by a clock beside it. */
	begin(state);
	chronyd.delay_s = chronyd.dispersion_s = 0;
	check_answer();
	assert_in_range((uint64_t)(reading.sample.latest_ns - reading.sample.earliest_ns), 0, 2000);
}

static void refuse_clocks(void)
{
	fake.refused_clocks = 1u << CLOCK_MONOTONIC;
}

static void clock_that_is_refused_later(void **state)
{
	(void)state;
	chronyd.meanwhile = refuse_clocks;
	check_refused(HPT_WALL_REASON_FAILED, EPERM);
}

/* Time passes only as the program says. */
static void manual_clock_has_nothing_to_do_with_it(void **state)
{
	struct hpt_wall_ask a = utc_ask();

	(void)state;
	assert_int_equal(hpt_clock_new_manual(1000000000000000, 0, &a.clk), 0);
	assert_int_equal(hpt_wall_chrony.ask(&a, &reading), HPT_WALL_REASON_OTHER_COUNTER);
	assert_int_equal(chronyd.asked, 0);
	hpt_clock_close(a.clk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(correction_leads_to_utc, begin),
		cmocka_unit_test_setup(sample_holds_utc, begin),
		cmocka_unit_test_setup(slews_widen_it, begin),
		cmocka_unit_test_setup(steps_meanwhile_refuse_it, begin),
		cmocka_unit_test_setup(update_in_the_future, begin),
		cmocka_unit_test_setup(leap_status, begin),
		cmocka_unit_test_setup(what_is_not_synchronised, begin),
		cmocka_unit_test_setup(silent_for_too_long, begin),
		cmocka_unit_test_setup(impossible_values, begin),
		cmocka_unit_test_setup(clock_that_is_refused_later, begin),
		cmocka_unit_test_setup(manual_clock_has_nothing_to_do_with_it, begin),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
