// SPDX-License-Identifier: MIT
/* Sources that go by CLOCK_REALTIME: its steps, and what a daemon measured of it earlier. */
#include "wall_record_world.h"

/* A source of bounds of CLOCK_REALTIME, which notices a step of it ten seconds later. */
static int add_settling(uint32_t source)
{
	struct hpt_wall_reading r = reading_of(source, 1000);

	r.settle_ns = 10 * NS_PER_S;
	return add_reading(&r);
}

static void after_a_step_of_the_wall_clock_sources_settle(void **state)
{
	(void)state;
	wall_ns = 5000;
	assert_int_equal(add_settling(1), 0);
	now += NS_PER_S;
	wall_ns += 100; /* within what two looks leave open */
	assert_int_equal(add_settling(1), 0);
	for (int sign = -1; sign <= 1; sign += 2) {
		wall_ns += sign * 101;
		now += NS_PER_S;
		assert_int_equal(add_settling(1), -ERANGE);
		assert_int_equal(add(2, 1000), 0); /* does not follow it */
		assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_SYNCED);
		now += 10 * NS_PER_S - 1;
		assert_int_equal(add_settling(1), -ERANGE);
		now += 1;
		assert_int_equal(add_settling(1), 0);
	}
	assert_int_equal(rec.counts.disruptions, 0);
}

static void step_wall_clock(void)
{
	wall_ns += 101;
	now += NS_PER_S;
	look();
}

/* How far it was set, by the looks before and after. */
static void amount_of_the_latest_step_is_known(void **state)
{
	static const int64_t steps_ns[] = { NS_PER_S, 101, -5000, -3600 * NS_PER_S };

	(void)state;
	wall_ns = INT64_C(1700000000000000000);
	look();
	assert_int_equal(rec.settle.events.steps, 0);
	for (size_t i = 0; i < COUNT(steps_ns); i++) {
		wall_ns += steps_ns[i];
		look_after(NS_PER_S);
		look_after(NS_PER_S);
		assert_int_equal(rec.settle.events.steps, i + 1);
		assert_int_equal(rec.settle.events.step_lo_ns, steps_ns[i] - 100);
		assert_int_equal(rec.settle.events.step_hi_ns, steps_ns[i] + 100);
	}
}

/* A source that does not go by CLOCK_REALTIME need not know of its steps, even where it has lost its reference. */
static void source_that_does_not_follow_the_wall_clock_counts_at_once(void **state)
{
	struct hpt_wall_reading r;

	(void)state;
	wall_ns = 5000;
	look();
	step_wall_clock();
	assert_int_equal(rec.settle.has_step, 1);
	r = reading_of(3, 1000);
	r.is_holdover = true;
	assert_int_equal(add_reading(&r), 0);
}

/* On a counter that began to count a second ago, too. */
static void without_a_step_nothing_settles(void **state)
{
	struct hpt_wall_look l;

	(void)state;
	now = NS_PER_S;
	l = look_of();
	hpt_wall_record_init(&rec, &rules, &l);
	assert_int_equal(add_settling(1), 0);
}

/* Daemons know of an announced leap second, by which the kernel sets the clock. */
static void leap_second_is_no_step_of_the_wall_clock(void **state)
{
	(void)state;
	wall_ns = 5000;
	assert_int_equal(add_leap(2, HPT_WALL_LEAP_INSERTED, 0), 0);
	assert_int_equal(add_settling(1), 0);
	now += NS_PER_S;
	wall_ns -= NS_PER_S;
	assert_int_equal(add_settling(1), 0);
	now += NS_PER_S;
	wall_ns -= NS_PER_S + 101;
	assert_int_equal(add_settling(1), -ERANGE);
	now += 10 * NS_PER_S;
	wall_ns += NS_PER_S;
	assert_int_equal(add_settling(1), -ERANGE);
}

/* ---- A daemon that measured earlier -------------------------------------------------------------------------- */

/* The bound may know more of the rate than is sure without other sources. What was stated latest is sure. */
static void measurement_ages_by_what_the_bound_knows(void **state)
{
	struct hpt_wall_reading r = measured(1, 1000, 10 * NS_PER_S);

	(void)state;
	assert_int_equal(why_refused(&r), HPT_WALL_REASON_NONE);
	/* 50 ppm, and 5 that the counter may run off CLOCK_MONOTONIC_RAW. */
	assert_in_range((uint64_t)width_now(&rec.read.bound), 1102000, 1104000);
	now += 10 * NS_PER_S;
	assert_int_equal(add(2, 10), 0);
	now += 100 * NS_PER_S;
	assert_int_equal(add(2, 10), 0);
	now += 100 * NS_PER_S;
	r = measured(2, 1000, 10 * NS_PER_S);
	assert_int_equal(why_refused(&r), HPT_WALL_REASON_NONE);
	/* 15 ppm of wander, 1 to forget, and 5. */
	assert_in_range((uint64_t)width_now(&rec.read.bound), 422000, 426000);
	assert_in_range((uint64_t)width_now(&rec.latest[0].lines), 1102000, 1104000);
	assert_bound_holds();
}

static void measurements_are_in_doubt_after_steps_and_disruptions(void **state)
{
	struct hpt_wall_reading r;

	(void)state;
	for (int i = 0; i < 2; i++) {
		record_begins(state);
		wall_ns = 5000;
		r = measured(1, 1000, NS_PER_S);
		assert_int_equal(why_refused(&r), HPT_WALL_REASON_NONE);
		now += NS_PER_S;
		if (i)
			raw_moved_ns += NS_PER_MS;
		else
			wall_ns += 1000000;
		look();
		r = measured(1, 1000, NS_PER_S);
		r.sample.earliest_ns += 1000000;
		r.sample.latest_ns += 1000000;
		assert_int_equal(why_refused(&r), HPT_WALL_REASON_STEPPED);
		assert_int_equal(rec.counts.refused, 1);
		for (uint64_t number = 2; number < 4; number++) {
			now += NS_PER_S;
			r = measured(number, 1000, NS_PER_S);
			assert_int_equal(why_refused(&r), number == 2 ? HPT_WALL_REASON_STEPPED : HPT_WALL_REASON_NONE);
		}
	}
}

/* Also what a daemon measured before it was synchronised. */
static void measurements_of_a_daemon_without_a_bound_are_known(void **state)
{
	struct hpt_wall_reading r;

	(void)state;
	wall_ns = 5000;
	look();
	step_wall_clock();
	note_unsynced(1);
	assert_int_equal(rec.measured.is_known, 0);
	r = measured(1, 1000, NS_PER_S);
	r.is_unsynced = true;
	hpt_wall_record_note_unsynced(&rec, &rules, &r);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_UNSYNCED);
	for (uint64_t number = 2; number < 4; number++) {
		now += NS_PER_S;
		r = measured(number, 1000, NS_PER_S);
		assert_int_equal(why_refused(&r), number == 2 ? HPT_WALL_REASON_STEPPED : HPT_WALL_REASON_NONE);
	}
}

static void measurements_that_contradict_each_other_are_refused(void **state)
{
	struct hpt_wall_reading r = measured(1, 1000, NS_PER_S);

	(void)state;
	assert_int_equal(why_refused(&r), HPT_WALL_REASON_NONE);
	now += NS_PER_S;
	r = measured(2, 1000, NS_PER_S);
	r.n_measured = 2;
	r.measured[1] = r.measured[0];
	r.measured[1].key = 2;
	r.measured[1].off_lo_ns = r.measured[1].off_hi_ns = NS_PER_S;
	assert_int_equal(why_refused(&r), HPT_WALL_REASON_CONTRADICTED);
	/* Nobody says which is wrong: the bound goes on without them. */
	assert_int_equal(rec.counts.contradictions, 1);
	assert_int_equal(rec.counts.refused, 1);
	assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_STATE_SYNCED);
	assert_int_equal(rec.read.generation, 1);
	r.n_measured = 1;
	r.measured[0].off_lo_ns = INT64_MIN + 1;
	assert_int_equal(why_refused(&r), HPT_WALL_REASON_ABSURD);
}

/* A daemon may let a leap second pass in four ways. */
static void measurement_from_before_a_leap_second_is_void_after_it(void **state)
{
	struct hpt_wall_reading r = measured(1, 1000, NS_PER_S);

	(void)state;
	for (int is_smeared = 0; is_smeared < 2; is_smeared++) {
		record_begins(state);
		r = measured(1, 1000, NS_PER_S);
		r.leap = HPT_WALL_LEAP_INSERTED;
		r.sample.flags = is_smeared ? HPT_WALL_FLAG_SMEARED : 0;
		assert_int_equal(why_refused(&r), HPT_WALL_REASON_NONE);
		now += (uint64_t)(MIDNIGHT - NOON) + 10 * NS_PER_S;
		rules.max_age_ns = 2 * DAY_NS;
		r = measured(1, 1000, DAY_NS / 2 + 20 * NS_PER_S);
		r.sample.flags = is_smeared ? HPT_WALL_FLAG_SMEARED : 0;
		assert_int_equal(why_refused(&r), is_smeared ? HPT_WALL_REASON_NONE : HPT_WALL_REASON_STEPPED);
	}
}

static uint32_t add_wide_with_leap(void **state, uint32_t flags)
{
	struct hpt_wall_reading wide;

	record_begins(state);
	wide = reading_of(2, 3 * NS_PER_S);
	wide.leap = HPT_WALL_LEAP_INSERTED;
	wide.sample.flags = flags;
	return why_refused(&wide);
}

/* The bound is so wide that the wall does not know yet that the leap second is past. The daemon may know. */
static void measurement_that_spans_a_leap_second_is_refused(void **state)
{
	struct hpt_utc u;

	for (int i = 0; i < 3; i++) {
		uint32_t flags = i == 2 ? HPT_WALL_FLAG_SMEARED : 0;
		struct hpt_wall_reading r;

		assert_int_equal(add_wide_with_leap(state, flags), HPT_WALL_REASON_NONE);
		now += (uint64_t)(MIDNIGHT - NOON) + 4 * NS_PER_S;
		rules.max_age_ns = 2 * DAY_NS;
		r = measured(1, 1000, i == 1 ? NS_PER_S : 10 * NS_PER_S);
		r.sample.flags = flags;
		if (!flags) {
			r.sample.earliest_ns -= NS_PER_S;
			r.sample.latest_ns -= NS_PER_S;
		}
		assert_int_equal(why_refused(&r), i ? HPT_WALL_REASON_NONE : HPT_WALL_REASON_LEAP);
		if (i != 1)
			continue;
		u = hpt_bound_at(&rec.read.bound, now);
		assert_in_range((uint64_t)(utc() - NS_PER_S - u.lo_ns), 0, NS_PER_MS);
		assert_in_range((uint64_t)(u.hi_ns - utc() + NS_PER_S), 0, NS_PER_MS);
	}
}

/* The daemon's clock is wrong, and it knows by how much: whether a leap second is near is said by UTC. */
static void leap_second_is_near_by_utc(void **state)
{
	for (int sign = -1; sign <= 1; sign += 2) {
		struct hpt_wall_reading r;
		int64_t off_ns;

		record_begins(state);
		assert_int_equal(add_leap(2, HPT_WALL_LEAP_INSERTED, 0), 0);
		now += (uint64_t)(MIDNIGHT - NOON + sign * 20 * NS_PER_S);
		rules.max_age_ns = 2 * DAY_NS;
		look();
		r = measured(1, 1000, 0);
		off_ns = sign > 0 ? 21 * NS_PER_S : -20 * NS_PER_S; /* the former with the second that was inserted */
		r.sample.earliest_ns -= off_ns;
		r.sample.latest_ns -= off_ns;
		off_ns -= sign > 0 ? NS_PER_S : 0;
		r.measured[0].off_lo_ns += off_ns;
		r.measured[0].off_hi_ns += off_ns;
		for (uint64_t number = 2; number < 5; number++) {
			r.measured[0].number = number;
			(void)why_refused(&r);
		}
		assert_int_equal(why_refused(&r), HPT_WALL_REASON_NONE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		record_test(after_a_step_of_the_wall_clock_sources_settle),
		record_test(source_that_does_not_follow_the_wall_clock_counts_at_once),
		record_test(without_a_step_nothing_settles),
		record_test(amount_of_the_latest_step_is_known),
		record_test(leap_second_is_no_step_of_the_wall_clock),
		record_test(measurement_ages_by_what_the_bound_knows),
		record_test(measurements_are_in_doubt_after_steps_and_disruptions),
		record_test(measurements_of_a_daemon_without_a_bound_are_known),
		record_test(measurements_that_contradict_each_other_are_refused),
		record_test(measurement_from_before_a_leap_second_is_void_after_it),
		record_test(measurement_that_spans_a_leap_second_is_refused),
		record_test(leap_second_is_near_by_utc),
	};

	return cmocka_run_group_tests_name("wall_settle", tests, NULL, NULL);
}
