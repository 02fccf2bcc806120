// SPDX-License-Identifier: MIT
/* When a sleep ends, by what its first check found: an undisturbed one, and a counter that stepped around the start. */
#include "unit.h"

#include "sleep/settle.h"

#define US INT64_C(1000)
#define MS INT64_C(1000000)

/* A counter of 2.5 GHz, whose line reaches Unix and other time 0 at tick 0. */
#define TICKS_PER_US INT64_C(2500)

static const uint64_t start = UINT64_C(1) << 40;

static struct hpt_record record(void)
{
	struct hpt_record rec = {
		.convert.ns_per_tick = hpt_scale_of(2, 5), .convert.tick_per_ns = hpt_scale_of(5, 2),
		.read = { .start = start, .line_span = TICKS_PER_US * 1000000, .ns.slope = hpt_scale_of(2, 5) },
	};

	rec.read.ns = hpt_line_through(start, (struct hpt_fixed){ start / 5 * 2, 0 }, rec.convert.ns_per_tick);
	return rec;
}

/* A check 50 us after the start by the clock. The counter has moved by step_ns more, before the first tick or after. */
static struct hpt_found check(bool is_known, int64_t step_ns)
{
	uint64_t tick = start + (uint64_t)(50 * TICKS_PER_US + step_ns * 5 / 2);

	return (struct hpt_found){
		.is_known = is_known, .moved_ns = step_ns, .stepped_ns = step_ns,
		.r = { .b = { tick - TICKS_PER_US, tick, MS }, .mono_ns = MS },
		.old = { start, start, MS - 50 * US },
	};
}

static int64_t ends_at(enum hpt_deadline_kind kind, int64_t at, struct hpt_found f)
{
	struct hpt_asked asked = { kind, at, start };
	struct hpt_record rec = record();

	assert_int_equal(hpt_settle(&asked, 4711, &f, &rec), 4711);
	assert_int_equal(asked.kind, kind == HPT_DEADLINE_UNIX_NS ? kind : HPT_DEADLINE_NS);
	assert_int_equal(asked.start, start);
	return asked.at;
}

/* On the timeline, which is at the tick's time at the reading's end. */
static int64_t start_ns(int64_t step_ns)
{
	return (int64_t)(start / 5 * 2) + step_ns;
}

static void a_duration_becomes_a_time(void **state)
{
	(void)state;
	assert_in_range(ends_at(HPT_DEADLINE_AFTER_NS, 3 * MS, check(true, 0)) - start_ns(0), 3 * MS, 3 * MS + 2);
}

/* The counter's word is taken if it stepped before the first tick, the clock's if after: the shorter of both. */
static void a_step_lengthens_no_duration_by_more_than_its_reading(void **state)
{
	(void)state;
	for (int64_t step_ns = -20 * MS; step_ns <= 20 * MS; step_ns += 10 * MS) {
		int64_t left_ns = ends_at(HPT_DEADLINE_AFTER_NS, 3 * MS, check(true, step_ns)) - start_ns(step_ns);

		/* By a reading of 1 us, or, of a counter that went back before the check, by all that has passed. */
		assert_in_range(left_ns, 3 * MS, 3 * MS + 51 * US);
		if (step_ns > 0)
			assert_in_range(left_ns, 3 * MS, 3 * MS + 2 * US);
		else if (step_ns < 0)
			assert_in_range(left_ns, 3 * MS + 50 * US, 3 * MS + 51 * US);
	}
}

/* Any event may have come since the record before: only what is shorter than the spin's gap has passed for sure. */
static void without_the_old_record_long_times_have_not_passed(void **state)
{
	struct hpt_found f = check(false, 0);

	(void)state;
	assert_in_range(ends_at(HPT_DEADLINE_AFTER_NS, 3 * MS, f) - start_ns(0) - 50 * US, 3 * MS, 3 * MS + 2);
	f.r.b.after -= 30 * TICKS_PER_US;
	f.r.b.before -= 30 * TICKS_PER_US;
	assert_in_range(ends_at(HPT_DEADLINE_AFTER_NS, 3 * MS, f) - start_ns(0), 3 * MS, 3 * MS + 2 * US);
}

/* The process was forked into a time namespace: the counter did not step, the clock under the timeline did. */
static void a_time_moves_with_its_timeline(void **state)
{
	struct hpt_found f = check(true, 10 * MS);

	(void)state;
	assert_int_equal(ends_at(HPT_DEADLINE_NS, 77 * MS, check(true, 0)), 77 * MS);
	assert_int_equal(ends_at(HPT_DEADLINE_NS, 77 * MS, f), 77 * MS);
	f.stepped_ns = 0;
	assert_in_range(ends_at(HPT_DEADLINE_NS, 77 * MS, f), 67 * MS, 67 * MS + US);
	assert_int_equal(ends_at(HPT_DEADLINE_UNIX_NS, 77 * MS, f), 77 * MS);
}

static int64_t ticks_left(enum hpt_deadline_kind kind, struct hpt_found f)
{
	struct hpt_asked asked = { kind, 0, start };
	struct hpt_record rec = record();
	uint64_t end = hpt_settle(&asked, start + 3000 * TICKS_PER_US, &f, &rec);

	assert_int_equal(asked.kind, kind);
	assert_int_equal(asked.at, 0);
	return (int64_t)(end - f.r.b.after);
}

/* A sleep in ticks ends when the counter gets there, if it did not step; else when the clock says that it would. */
static void a_deadline_in_ticks_is_the_clocks_after_a_step(void **state)
{
	const int64_t left = (3000 - 50) * TICKS_PER_US;

	(void)state;
	assert_int_equal(ticks_left(HPT_DEADLINE_TICK, check(true, 0)), left);
	for (int64_t step_ns = -20 * MS; step_ns <= 20 * MS; step_ns += 40 * MS)
		assert_int_equal(ticks_left(HPT_DEADLINE_TICK, check(true, step_ns)), left);
	/* Any event may have come before: the whole length begins now. */
	assert_int_equal(ticks_left(HPT_DEADLINE_TICK, check(false, 0)), 2999 * TICKS_PER_US);
	/* Not longer than the whole, though the clock says that less has passed than nothing. */
	for (int known = 0; known < 2; known++) {
		struct hpt_found f = check(known, -20 * MS);

		f.old.ref_ns = 90 * MS;
		assert_in_range(ticks_left(HPT_DEADLINE_TICK, f), left, 3000 * TICKS_PER_US);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_duration_becomes_a_time),
		cmocka_unit_test(a_step_lengthens_no_duration_by_more_than_its_reading),
		cmocka_unit_test(without_the_old_record_long_times_have_not_passed),
		cmocka_unit_test(a_time_moves_with_its_timeline),
		cmocka_unit_test(a_deadline_in_ticks_is_the_clocks_after_a_step),
	};

	return cmocka_run_group_tests_name("settle", tests, NULL, NULL);
}
