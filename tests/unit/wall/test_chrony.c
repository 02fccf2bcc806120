// SPDX-License-Identifier: MIT
/* The source CHRONY: what is made of chronyd's answers. Which sources count: test_chrony_sources.c. */
#include "chrony_world.h"

/* The sign of the correction: positive is to be added to CLOCK_REALTIME. And its own clock is stated as it is. */
static void correction_leads_to_utc(void **state)
{
	static const int64_t off_ns[] = { 0, 1, -1, 4000000, -4000000, 300000000, -300000000, INT64_C(86400000000000),
					  -INT64_C(86400000000000) };

	for (size_t i = 0; i < COUNT(off_ns); i++) {
		begin(state);
		set_realtime(off_ns[i]);
		check_answer();
		/* 2 us; and a correction of a day is rounded to 5 ms. */
		assert_in_range((uint64_t)(reading.sample.latest_ns - reading.sample.earliest_ns), 0,
				2000 + (i >= 7 ? 32000000 : 0) + (i >= 5 ? 200 : 0));
		assert_int_equal(reading.leap, HPT_WALL_LEAP_ABSENT);
		assert_false(reading.is_holdover);
	}
}

/* What was measured: the sign of the offset, what was corrected since, the age, and the error as it is stated. */
static void measurement_is_of_its_own_clock(void **state)
{
	const struct hpt_measured *m = &reading.measured[0];

	(void)state;
	chronyd.off_s = 5e-3;
	chronyd.sources[0].wrong_s = 90e-6;
	chronyd.sources[0].moved_s = -2;
	chronyd.sources[0].since_s = 63;
	chronyd.freq_ppm = -20.5;
	check_answer();
	/* From the whole second of its clock on that chronyd means. */
	assert_in_range((uint64_t)m->age_ns, 63 * NS_PER_S, 64 * NS_PER_S + 1000000);
	assert_int_equal((reading.sample.latest_ns - m->age_ns) % NS_PER_S, 0);
	assert_in_range((uint64_t)(m->off_hi_ns - m->off_lo_ns), 200200, 200210);
	assert_in_range((uint64_t)(-m->off_hi_ns), 5090000 - 100110, 5090000 - 100090);
	assert_in_range((uint64_t)(-m->moved_ns), 1999999000, 2000001000);
	assert_in_range((uint64_t)reading.pace_ppb, 20499, 20501);
	assert_int_equal(reading.sample.before > 0, 1);
}

/* The whole second before the earliest of its clock's possible times; a reference clock's are not rounded so. */
static void age_is_the_most_that_it_may_be(void **state)
{
	const struct hpt_measured *m = &reading.measured[0];
	int64_t took_ns;

	(void)state;
	chronyd.sources[0].since_s = 63;
	check_answer();
	took_ns = -reading.sample.latest_ns;
	check_answer();
	took_ns += reading.sample.latest_ns;
	pass_ns(NS_PER_S - reading.sample.latest_ns % NS_PER_S - took_ns + 10);
	check_answer();
	assert_true(reading.sample.earliest_ns % NS_PER_S > NS_PER_S / 2);
	assert_true(reading.sample.latest_ns % NS_PER_S < NS_PER_S / 2);
	assert_true(m->age_ns > 64 * NS_PER_S && m->age_ns < 64 * NS_PER_S + 1000000);
	chronyd.sources[0].mode = 2;
	utc_config.chrony_refclock_error_ns = 1;
	check_answer();
	assert_int_equal(m->age_ns, 64 * NS_PER_S);
}

/* Each measurement of a source has another number, whatever was corrected since. */
static void number_is_of_the_measurement(void **state)
{
	uint64_t key, number;

	(void)state;
	check_answer();
	key = reading.measured[0].key;
	number = reading.measured[0].number;
	assert_true(key && number);
	chronyd.sources[0].since_s = 7;
	chronyd.sources[0].moved_s = 1e-3;
	chronyd.off_s = 1e-3;
	check_answer();
	assert_int_equal(reading.measured[0].number, number);
	chronyd.sources[0].wrong_s = 1e-9;
	chronyd.sources[0].since_s = 0;
	check_answer();
	assert_int_equal(reading.measured[0].key, key);
	assert_int_not_equal(reading.measured[0].number, number);
	chronyd.sources[0].address = 99;
	check_answer();
	assert_int_not_equal(reading.measured[0].key, key);
}

static uint32_t corrected; /* by as many of the next answers */

static void correct(void)
{
	if (!corrected)
		return;
	corrected--;
	chronyd.ref_ns++;
}

/* What came before chronyd corrected its clock does not belong to what came after. */
static void corrections_meanwhile_are_asked_for_again(void **state)
{
	(void)state;
	chronyd.between = correct;
	corrected = 1;
	check_answer();
	assert_int_equal(chronyd.asked, 2);
	corrected = 1000;
	check_refused(HPT_WALL_REASON_NO_ANSWER, 0);
}

static void switch_slew(void)
{
	fake_world_slew(&world.wall, random_below(3) ? 0 : (int64_t)random_below(1000000) - 500000);
}

/* Whatever it states, wherever in that the truth is, however long it takes and CLOCK_REALTIME is slewed. */
static void sample_holds_utc(void **state)
{
	for (int i = 0; i < rounds(100000); i++) {
		if (i % 1000 == 0)
			begin(state);
		chronyd.off_s = ((double)random_below(2001) / 1000 - 1) * pow(10, -9 + (double)random_below(900) / 100);
		chronyd.n_sources = 1 + (uint32_t)random_below(2);
		for (uint32_t k = 0; k < chronyd.n_sources; k++) {
			double error_s = pow(10, -8 + (double)random_below(900) / 100);

			chronyd.sources[k].error_s = error_s;
			chronyd.sources[k].wrong_s = random_below(4) ?
				error_s * ((double)random_below(2001) / 1000 - 1) :
						     random_below(2) ? error_s : -error_s;
		}
		chronyd.there_ps = random_below(100000000);
		chronyd.back_ps = random_below(100000000);
		chronyd.meanwhile = random_below(2) ? switch_slew : NULL;
		utc_ppb = (int64_t)random_below(100001) - 50000;
		fake_world_slew(&world.wall, (int64_t)random_below(1000000) - 500000);
		set_realtime((int64_t)random_below(UINT64_C(1) << random_below(40)) * (random_below(2) ? 1 : -1));
		check_answer();
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
	for (int sign = -1; sign <= 1; sign++) {
		chronyd.sources[0].wrong_s = sign * 100e-6;
		check_answer();
	}
	assert_in_range((uint64_t)(reading.sample.latest_ns - reading.sample.earliest_ns - narrow_ns), 13300, 16000);
	fake_world_slew(&world.wall, 0);
	chronyd.meanwhile = fast_slew;
	check_answer();
	chronyd.sources[0].wrong_s = 100e-6;
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
	check_refused(HPT_WALL_REASON_UNSYNCED, 0);
	/* As chronyd answers while it is not synchronised: reference.c, REF_GetReferenceParams(). */
	chronyd.ref_id = chronyd.stratum = 0;
	chronyd.leap = 3;
	chronyd.age_s = 3e9; /* no update: 1970 or before */
	check_refused(HPT_WALL_REASON_UNSYNCED, 0);
	/* What it has measured is known from then on: a step may be its own. */
	assert_int_equal(reading.n_measured, 1);
	assert_true(reading.sample.before > 0 && reading.measured[0].number);
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

static uint32_t spoiled_at, spoiled_by;

/* How its clock stands, before and after alike. */
static void spoil_word(void)
{
	put_32(chronyd.replies[0] + spoiled_at, spoiled_by);
	put_32(chronyd.replies[chronyd.n - 1] + spoiled_at, spoiled_by);
	if (spoiled_at == 60)
		for (int i = 0; i < chronyd.n; i += chronyd.n - 1)
			put_32(chronyd.replies[i] + 64, 0);
}

static void impossible_values(void **state)
{
	static const struct { uint32_t at, by; } rows[] = {
		{ 56, 5 },           /* the latest update: seconds whose nanoseconds are positive again, modulo 2^64 */
		{ 60, 0 },           /* its seconds, and below also its nanoseconds: 1970 */
		{ 68, 0x7effffff },  /* the correction: the largest */
		{ 80, 0x28ffffff },  /* the frequency: 524287 ppm */
		{ 80, 0x29000001 },
		{ 100, 0x03000001 }, /* the interval: negative */
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		begin(state);
		spoiled_at = rows[i].at;
		spoiled_by = rows[i].by;
		chronyd.spoil = spoil_word;
		check_refused(HPT_WALL_REASON_ABSURD, 0);
	}
	/* UTC before 1970. */
	begin(state);
	chronyd.off_s = -2e9;
	check_refused(HPT_WALL_REASON_ABSURD, 0);
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
	assert_int_equal(hpt_clock_new_manual(1000000000, 0, 0, &a.clk), 0);
	assert_int_equal(hpt_wall_chrony.ask(&a, &reading), HPT_WALL_REASON_OTHER_COUNTER);
	assert_int_equal(chronyd.asked, 0);
	hpt_clock_close(a.clk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(correction_leads_to_utc, begin),
		cmocka_unit_test_setup(measurement_is_of_its_own_clock, begin),
		cmocka_unit_test_setup(number_is_of_the_measurement, begin),
		cmocka_unit_test_setup(age_is_the_most_that_it_may_be, begin),
		cmocka_unit_test_setup(corrections_meanwhile_are_asked_for_again, begin),
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
