// SPDX-License-Identifier: MIT
/* Steps of CLOCK_REALTIME: for how long a wall refuses sources that state how far that clock is off UTC. */
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
		assert_int_equal(hpt_wall_record_state(&rec), HPT_WALL_SYNCED);
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

/* A source that says when it was renewed, and whether its servers are silent. */
static int add_renewed(int64_t updated_ns, bool is_holdover)
{
	struct hpt_wall_reading r = reading_of(1, 1000);

	r.settle_ns = NS_PER_S;
	r.updated_ns = updated_ns;
	r.is_holdover = is_holdover;
	now += 2 * NS_PER_S;
	return add_reading(&r);
}

/* However long after the step: its server may have been out of reach. */
static void source_is_renewed_a_few_times_after_a_step(void **state)
{
	(void)state;
	wall_ns = 5000;
	assert_int_equal(add_renewed(100, false), 0);
	for (int steps = 0; steps < 2; steps++) {
		step_wall_clock();
		assert_int_equal(add_renewed(rec.settle.updated_ns, false), -ERANGE);
		for (int n = 1; n < 8; n++) {
			assert_int_equal(add_renewed(rec.settle.updated_ns + 1, false), -ERANGE);
			assert_int_equal(add_renewed(rec.settle.updated_ns, false), -ERANGE);
		}
		assert_int_equal(add_renewed(rec.settle.updated_ns + 1, false), 0);
		assert_int_equal(add_renewed(rec.settle.updated_ns, false), 0);
	}
}

/* One that lost its reference before the step, or since, goes by what it knew before. */
static void source_has_a_reference_after_a_step(void **state)
{
	(void)state;
	wall_ns = 5000;
	assert_int_equal(add_renewed(0, true), 0);
	step_wall_clock();
	for (int n = 0; n < 20; n++)
		assert_int_equal(add_renewed(0, true), -ERANGE);
	assert_int_equal(add_renewed(0, false), 0);
	assert_int_equal(add_renewed(0, true), 0);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		record_test(after_a_step_of_the_wall_clock_sources_settle),
		record_test(source_is_renewed_a_few_times_after_a_step),
		record_test(source_has_a_reference_after_a_step),
		record_test(source_that_does_not_follow_the_wall_clock_counts_at_once),
		record_test(without_a_step_nothing_settles),
		record_test(leap_second_is_no_step_of_the_wall_clock),
	};

	return cmocka_run_group_tests_name("wall_settle", tests, NULL, NULL);
}
