// SPDX-License-Identifier: MIT
/* A daemon's measurements: how they age, and when they are in doubt. Random worlds: tests/property/measured.c. */
#include <string.h>

#include "unit.h"

#include "math/units.h"
#include "wall/measured.h"

#define BEGIN_NS INT64_C(1700000000000000000)

/* The counter counts nanoseconds. The daemon's clock is off_ns ahead of it. */
static uint64_t now;
static int64_t own_off_ns;
static struct hpt_measured_record rec;
static struct hpt_measured_events events;
static struct hpt_measured_rates rates;
static struct hpt_wall_reading reading;
static struct hpt_utc utc;

static int begin(void **state)
{
	struct hpt_scale one = { .whole = 1 };

	(void)state;
	now = 5000 * NS_PER_S;
	own_off_ns = 0;
	memset(&rec, 0, sizeof(rec));
	events = (struct hpt_measured_events){ 0 };
	rates = (struct hpt_measured_rates){ one, one, 0, { one, one } };
	rates.utc = hpt_band_widened(&rates.utc, 50000);
	reading = (struct hpt_wall_reading){
		.n_measured = 1,
		.measured = { { .key = 7, .number = 1, .off_lo_ns = -1000, .off_hi_ns = 1000, .age_ns = NS_PER_S } },
	};
	return 0;
}

static int64_t own_ns(void)
{
	return BEGIN_NS + (int64_t)now + own_off_ns;
}

static uint32_t state_it(void)
{
	reading.sample.before = reading.sample.after = (hpt_time_t)now;
	reading.sample.earliest_ns = reading.sample.latest_ns = own_ns();
	reading.events = events;
	hpt_measured_note(&rec, &reading, &events, &rates);
	return hpt_measured_bound(&rec, &reading, &rates, 0, &utc);
}

static void check_utc(int64_t lo_ns, int64_t hi_ns)
{
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
	/* Roundings of a few nanoseconds, and of the pace, to 10^-9. */
	assert_in_range((uint64_t)(own_ns() + lo_ns - utc.lo_ns), 0, 8 +
			(uint64_t)reading.measured[0].age_ns / 900000000);
	assert_in_range((uint64_t)(utc.hi_ns - own_ns() - hi_ns), 0, 8 +
			(uint64_t)reading.measured[0].age_ns / 900000000);
}

static void measure_again(void)
{
	reading.measured[0].number++;
	reading.measured[0].moved_ns = 0;
	reading.measured[0].age_ns = NS_PER_S;
}

/* ---- Ages ------------------------------------------------------------------------------------------------ */

/* By how much UTC may run off the daemon's clock. */
static void ages_by_the_difference_of_rates(void **state)
{
	struct hpt_scale one = { .whole = 1 };

	(void)state;
	check_utc(-51050, 51050);
	/* On a counter that began to count after it, too. */
	begin(state);
	now = NS_PER_S / 2;
	check_utc(-51050, 51050);
	reading.measured[0].age_ns = 100 * NS_PER_S;
	check_utc(-5001000 - 5000, 5001000 + 5000);
	reading.pace_ppb = 20000;
	check_utc(-7001000 - 7000, 3001000 + 3000);
	/* UTC is surely faster: it gains, but it may have been measured just now. */
	rates.utc = (struct hpt_band){ one, one };
	reading.pace_ppb = -20000;
	check_utc(-1000, 2001000 + 2000);
	reading.pace_ppb = 20000;
	check_utc(-2001000 - 2000, 1000);
	rates.error_ppb = 10000;
	check_utc(-3001000 - 3000, 1000);
	reading.pace_ppb = -20000;
	check_utc(-1000, 3001000 + 3000);
}

/* One that was not there before may be as old as it says: the daemon holds it back. */
static void age_is_as_stated(void **state)
{
	(void)state;
	reading.measured[0].age_ns = 64 * NS_PER_S;
	check_utc(-3201000 - 3200, 3201000 + 3200);
	measure_again();
	reading.measured[0].age_ns = 64 * NS_PER_S;
	now += 100 * NS_PER_MS;
	check_utc(-3201000 - 3200, 3201000 + 3200);
	reading.measured[0].age_ns = 50 * NS_PER_MS;
	check_utc(-3500 - 3, 3500 + 3);
}

/* Nothing is known of UTC then, on a counter of any frequency. */
static void age_of_ages(void **state)
{
	(void)state;
	reading.measured[0].age_ns = INT64_MAX;
	rates.tick_per_ns.whole = 5;
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
	assert_true(utc.hi_ns - utc.lo_ns > NS_PER_S * 86400 * 5);
}

static void several_are_cut(void **state)
{
	(void)state;
	reading.n_measured = 3;
	for (uint32_t i = 0; i < 3; i++) {
		reading.measured[i] = reading.measured[0];
		reading.measured[i].key = i + 1;
		reading.measured[i].age_ns = 0;
	}
	reading.measured[0].off_lo_ns = -100;
	reading.measured[1].off_hi_ns = 50;
	check_utc(-100, 50);
	reading.measured[1].off_lo_ns = 49;
	check_utc(49, 50);
	reading.measured[0].off_lo_ns = 70;
	assert_int_equal(state_it(), HPT_WALL_REASON_CONTRADICTED);
	reading.measured[0].reason = HPT_WALL_REASON_CONTRADICTED;
	check_utc(49, 50);
}

static void reasons(void **state)
{
	(void)state;
	reading.n_measured = 0;
	assert_int_equal(state_it(), HPT_WALL_REASON_NO_BOUND);
	reading.n_measured = 3;
	for (uint32_t i = 0; i < 3; i++)
		reading.measured[i] = (struct hpt_measured){ .key = i + 1, .reason = HPT_WALL_REASON_NO_BOUND };
	assert_int_equal(state_it(), HPT_WALL_REASON_NO_BOUND);
	reading.measured[1].reason = HPT_WALL_REASON_UNSYNCED;
	assert_int_equal(state_it(), HPT_WALL_REASON_UNSYNCED);
	reading.measured[2].reason = HPT_WALL_REASON_NONE;
	reading.measured[2].number = 1;
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
}

/* A daemon may let it pass as the kernel does, or slew, or ignore it. */
static void leap_second_voids_what_was_before_it(void **state)
{
	int64_t at_ns = own_ns() + 10 * NS_PER_S;

	(void)state;
	reading.measured[0].age_ns = 5 * NS_PER_S;
	for (int s = 0; s < 20; s++) {
		uint32_t expect = s >= 10 && s < 15 ? HPT_WALL_REASON_LEAP : HPT_WALL_REASON_NONE;

		(void)state_it();
		assert_int_equal(hpt_measured_bound(&rec, &reading, &rates, at_ns, &utc), expect);
		now += NS_PER_S + 1000;
	}
}

/* ---- Steps ----------------------------------------------------------------------------------------------- */

static void others_set_it(int64_t by_ns)
{
	own_off_ns += by_ns;
	events.steps++;
	events.step_lo_ns = by_ns - 500;
	events.step_hi_ns = by_ns + 500;
	now += NS_PER_S;
}

/* As the daemon does: it knows, so that its measurement moves with its clock. */
static void daemon_sets_it(int64_t by_ns)
{
	others_set_it(by_ns);
	reading.measured[0].moved_ns += by_ns;
	reading.measured[0].off_lo_ns -= by_ns;
	reading.measured[0].off_hi_ns -= by_ns;
}

static void step_of_others_counts_until_it_measures_again(void **state)
{
	static const int64_t steps_ns[] = { 10 * NS_PER_S, -10 * NS_PER_S, 50000, -50000, -3600 * NS_PER_S };

	for (size_t i = 0; i < COUNT(steps_ns); i++) {
		begin(state);
		assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
		others_set_it(steps_ns[i]);
		for (int n = 0; n < 3; n++) {
			assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
			now += 100 * NS_PER_S;
		}
		measure_again();
		/* It may be of an exchange before the step. */
		assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
		assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
		measure_again();
		assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
		assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
	}
}

/* Whether it was made before the step or after it is not known. */
static void measurement_that_came_with_a_step_of_others_is_in_doubt(void **state)
{
	(void)state;
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
	others_set_it(10 * NS_PER_S);
	measure_again();
	assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
	for (int i = 0; i < 2; i++) {
		now += NS_PER_S;
		assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
		measure_again();
	}
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
}

/* A step after the daemon was asked, which is seen before its answer is noted, may be after its next measurement. */
static void step_between_question_and_note(void **state)
{
	const struct hpt_measured_events none = { 0 };

	(void)state;
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
	now += NS_PER_S;
	reading.sample.before = reading.sample.after = (hpt_time_t)now;
	reading.sample.earliest_ns = reading.sample.latest_ns = own_ns();
	reading.events = none;
	events.steps++;
	hpt_measured_note(&rec, &reading, &events, &rates);
	assert_int_equal(hpt_measured_bound(&rec, &reading, &rates, 0, &utc), HPT_WALL_REASON_NONE);
	measure_again();
	own_off_ns += 10 * NS_PER_S;
	now += NS_PER_S;
	assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
}

static void daemon_knows_its_own_step(void **state)
{
	static const int64_t steps_ns[] = { 10 * NS_PER_S, -10 * NS_PER_S, 300 * NS_PER_MS, 20000, -20000 };

	for (size_t i = 0; i < COUNT(steps_ns); i++) {
		begin(state);
		reading.pace_ppb = 40000;
		assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
		own_off_ns += 40000;
		daemon_sets_it(steps_ns[i]);
		assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
		assert_true(utc.lo_ns <= own_ns() - steps_ns[i] && utc.hi_ns >= own_ns() - steps_ns[i]);
		/* A step of others within what such a comparison leaves open is in the bound. */
		assert_true(utc.hi_ns - utc.lo_ns > 102100 + 4000);
		own_off_ns += 40000;
		daemon_sets_it(steps_ns[i]);
		assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
		others_set_it(steps_ns[i]);
		assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
		daemon_sets_it(steps_ns[i]);
		assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
	}
}

/* The daemon may have held it back: then what such a comparison leaves open is in its bound, too. */
static void next_measurement_may_be_from_before_the_step(void **state)
{
	int64_t widths_ns[3];

	(void)state;
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
	daemon_sets_it(10 * NS_PER_S);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
		widths_ns[i] = utc.hi_ns - utc.lo_ns;
		reading.measured[0].off_lo_ns = -1000;
		reading.measured[0].off_hi_ns = 1000;
		measure_again();
	}
	assert_in_range((uint64_t)widths_ns[2], 2000 + 100000, 2000 + 100120);
	assert_true(widths_ns[1] > widths_ns[2] + 2000);
	assert_true(widths_ns[0] >= widths_ns[1]);
}

/* What others did and what the daemon did may come to nothing. */
static void source_without_a_measurement_has_nothing_to_compare(void **state)
{
	(void)state;
	reading.measured[0].number = 0;
	reading.measured[0].off_lo_ns = reading.measured[0].off_hi_ns = 0;
	reading.measured[0].reason = HPT_WALL_REASON_NO_BOUND;
	assert_int_equal(state_it(), HPT_WALL_REASON_NO_BOUND);
	others_set_it(0);
	assert_int_equal(state_it(), HPT_WALL_REASON_NO_BOUND);
	reading.measured[0].reason = HPT_WALL_REASON_NONE;
	measure_again();
	assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
	measure_again();
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
}

/* Another pace since a measurement of some age moves its clock at that time: that is no step of others. */
static void pace_that_changes_is_no_step(void **state)
{
	(void)state;
	reading.measured[0].age_ns = 100 * NS_PER_S;
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
	daemon_sets_it(10 * NS_PER_S);
	reading.pace_ppb = 1000;
	reading.measured[0].off_lo_ns += 100000;
	reading.measured[0].off_hi_ns += 100000;
	own_off_ns += 1000;
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
}

/* The age of one in doubt is not known, nor by how much another pace has moved it: others may have done the same. */
static void pace_that_changes_by_an_age_in_doubt(void **state)
{
	(void)state;
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
	others_set_it(-36 * NS_PER_S);
	assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
	measure_again();
	/* Made before that step, 36 s ago, as the daemon will find when it changes its pace. */
	assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
	daemon_sets_it(10 * NS_PER_S);
	reading.pace_ppb = 15000;
	reading.measured[0].off_lo_ns += 36 * 15000;
	reading.measured[0].off_hi_ns += 36 * 15000;
	own_off_ns += 15000;
	others_set_it(-36 * 15000);
	own_off_ns += 15000;
	assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
	measure_again();
	assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
	measure_again();
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
}

/* As chronyd's makestep at boot: it measures, and sets the clock by what it found. */
static void first_step_of_a_daemon_is_its_own(void **state)
{
	(void)state;
	reading.is_unsynced = true;
	reading.measured[0].reason = HPT_WALL_REASON_UNSYNCED;
	assert_int_equal(state_it(), HPT_WALL_REASON_UNSYNCED);
	reading.measured[0] = (struct hpt_measured){ .key = 7, .number = 2, .off_lo_ns = -1000 + NS_PER_S,
						     .off_hi_ns = 1000 + NS_PER_S, .age_ns = NS_PER_S };
	daemon_sets_it(NS_PER_S);
	reading.is_unsynced = false;
	/* From some moment on, it makes its clock run as it found, too. */
	reading.pace_ppb = 100000;
	reading.measured[0].age_ns = 0;
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
	assert_true(utc.lo_ns <= own_ns() && utc.hi_ns >= own_ns());
}

/*
 * What the daemon slewed before it measured is what others then took back, so that the sum is what it has slewed since.
 * Only what it has set itself was set by as much as it knows.
 */
static void step_of_others_that_takes_back_a_slew_is_not_its_own(void **state)
{
	static const int64_t slews_ns[] = { 4437341, -60 * NS_PER_MS, 3600 * NS_PER_S };

	for (size_t i = 0; i < 2 * COUNT(slews_ns); i++) {
		int64_t first_ns = slews_ns[i / 2], since_ns = i % 2 ? -70 * NS_PER_MS : 70 * NS_PER_MS;

		begin(state);
		reading.is_unsynced = true;
		(void)state_it();
		own_off_ns += first_ns;
		others_set_it(-first_ns);
		measure_again();
		own_off_ns += since_ns;
		reading.measured[0].moved_ns = since_ns;
		reading.is_unsynced = false;
		assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
	}
}

enum { SYNCED, TWO_STEPS, SMALL_STEP, OF_OTHERS, N_UNSURE };

static void new_measurement_knows_no_more_than_what_came_after_it(void **state)
{
	for (int i = 0; i < N_UNSURE; i++) {
		begin(state);
		reading.is_unsynced = i != SYNCED;
		(void)state_it();
		reading.is_unsynced = false;
		measure_again();
		if (i == OF_OTHERS)
			others_set_it(NS_PER_S);
		else
			daemon_sets_it(i == SMALL_STEP ? 49 * NS_PER_MS : NS_PER_S);
		if (i == TWO_STEPS)
			events.steps++;
		assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
	}
}

/* In whatever order it states them. */
static void sources_are_known_by_their_keys(void **state)
{
	struct hpt_measured first;

	(void)state;
	events.steps = 1;
	reading.n_measured = 2;
	reading.measured[1] = reading.measured[0];
	reading.measured[1].key = 8;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
		reading.measured[1].number++;
	}
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
	first = reading.measured[0];
	reading.measured[0] = reading.measured[1];
	reading.measured[1] = first;
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
	reading.measured[0].reason = HPT_WALL_REASON_NO_BOUND;
	assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
}

/* It may have measured it long ago. */
static void source_that_is_new_after_a_step_is_in_doubt(void **state)
{
	(void)state;
	others_set_it(1000000);
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < 2; k++) {
			assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
			measure_again();
			now += NS_PER_S;
		}
		assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
		reading.measured[0].key++;
	}
}

static void void_ends_all_measurements(void **state)
{
	for (int is_own = 0; is_own < 2; is_own++) {
		begin(state);
		assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
		if (is_own)
			daemon_sets_it(NS_PER_S);
		events.voids++;
		if (!is_own)
			now -= 1000 * NS_PER_S; /* the counter, too */
		assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
		now += NS_PER_S;
		measure_again();
		assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
		measure_again();
		check_utc(reading.measured[0].off_lo_ns - 50050, reading.measured[0].off_hi_ns + 50050);
		begin(state);
		assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
		events.voids++;
		measure_again();
		assert_int_equal(state_it(), HPT_WALL_REASON_STEPPED);
	}
}

/* ---- Threads --------------------------------------------------------------------------------------------- */

/* What an earlier question found says nothing of measurements that a later one has noted. */
static void earlier_question_that_comes_late(void **state)
{
	struct hpt_wall_reading early;

	(void)state;
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
	now += NS_PER_S;
	early = reading;
	early.sample.before = early.sample.after = (hpt_time_t)now;
	early.sample.earliest_ns = early.sample.latest_ns = own_ns();
	now += NS_PER_S;
	measure_again();
	check_utc(-51000 - 50, 51000 + 50);
	early.events = events;
	hpt_measured_note(&rec, &early, &events, &rates);
	assert_int_equal(hpt_measured_bound(&rec, &early, &rates, 0, &utc), HPT_WALL_REASON_STEPPED);
	now += NS_PER_S;
	assert_int_equal(state_it(), HPT_WALL_REASON_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(ages_by_the_difference_of_rates, begin),
		cmocka_unit_test_setup(age_is_as_stated, begin),
		cmocka_unit_test_setup(age_of_ages, begin),
		cmocka_unit_test_setup(several_are_cut, begin),
		cmocka_unit_test_setup(reasons, begin),
		cmocka_unit_test_setup(leap_second_voids_what_was_before_it, begin),
		cmocka_unit_test_setup(step_of_others_counts_until_it_measures_again, begin),
		cmocka_unit_test_setup(measurement_that_came_with_a_step_of_others_is_in_doubt, begin),
		cmocka_unit_test_setup(step_between_question_and_note, begin),
		cmocka_unit_test_setup(daemon_knows_its_own_step, begin),
		cmocka_unit_test_setup(next_measurement_may_be_from_before_the_step, begin),
		cmocka_unit_test_setup(source_without_a_measurement_has_nothing_to_compare, begin),
		cmocka_unit_test_setup(pace_that_changes_is_no_step, begin),
		cmocka_unit_test_setup(pace_that_changes_by_an_age_in_doubt, begin),
		cmocka_unit_test_setup(first_step_of_a_daemon_is_its_own, begin),
		cmocka_unit_test_setup(step_of_others_that_takes_back_a_slew_is_not_its_own, begin),
		cmocka_unit_test_setup(new_measurement_knows_no_more_than_what_came_after_it, begin),
		cmocka_unit_test_setup(sources_are_known_by_their_keys, begin),
		cmocka_unit_test_setup(source_that_is_new_after_a_step_is_in_doubt, begin),
		cmocka_unit_test_setup(void_ends_all_measurements, begin),
		cmocka_unit_test_setup(earlier_question_that_comes_late, begin),
	};

	return cmocka_run_group_tests_name("measured", tests, NULL, NULL);
}
