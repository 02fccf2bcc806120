// SPDX-License-Identifier: MIT
/* How many threads sleep; places to spin, which end by themselves, whatever becomes of who took them. */
#include "unit.h"

#include "sleep/crowd.h"

#define US INT64_C(1000)
#define MS (1000 * US)
#define S  (1000 * MS)

/* An uptime of some days. A multiple of the unit that windows have. */
#define START (INT64_C(1) << 48)

/* ---- How many -------------------------------------------------------------------------------------------------- */

static uint32_t count(struct hpt_crowd *c, uint32_t process, int64_t now_ns)
{
	hpt_crowd_count(c, process, now_ns);
	return hpt_crowd_per_ms(c, now_ns);
}

/* So many sleeps a millisecond, for a time. */
static uint32_t counted(struct hpt_crowd *c, int64_t from_ns, int64_t for_ns, int per_ms)
{
	uint32_t n = 0;

	for (int64_t t = 0; t < for_ns; t += MS / per_ms)
		n = count(c, 1, from_ns + t);
	return n;
}

static void sleeps_of_a_millisecond_are_counted(void **state)
{
	static const int counts[] = { 1, 8, 64, 500 };

	(void)state;
	for (size_t i = 0; i < COUNT(counts); i++) {
		struct hpt_crowd c = { 0 };

		assert_int_equal(count(&c, 1, START), 0);
		assert_in_range(counted(&c, START + 1, 50 * MS, counts[i]), counts[i] - 1, counts[i]);
	}
}

static void what_was_is_forgotten(void **state)
{
	struct hpt_crowd c = { 0 };

	(void)state;
	counted(&c, START, 20 * MS, 64);
	assert_in_range(counted(&c, START + 20 * MS, 7 * MS, 1), 20, 64);
	assert_in_range(counted(&c, START + 27 * MS, 20 * MS, 1), 0, 1);
	counted(&c, START + 50 * MS, 20 * MS, 64);
	count(&c, 1, START + 3600 * S);
	assert_int_equal(count(&c, 1, START + 3600 * S), 0);
}

/* A thread that was stopped between its look at the clock and the call. */
static void thread_that_comes_late_counts_as_one(void **state)
{
	struct hpt_crowd c = { 0 };

	(void)state;
	counted(&c, START, 20 * MS, 64);
	assert_in_range(count(&c, 1, c.since_ns - 1), 63, 64);
	assert_in_range(count(&c, 1, c.since_ns - HPT_CROWD_COUNTED_NS), 63, 64);
}

static void clock_that_was_set_back_begins_again(void **state)
{
	struct hpt_crowd c = { 0 };

	(void)state;
	counted(&c, START, 23 * MS, 500);
	assert_int_equal(count(&c, 1, START + 16 * MS - 2 * HPT_CROWD_COUNTED_NS), 0);
	assert_int_equal(count(&c, 1, START - S), 0);
	assert_int_equal(c.since_ns, START - S);
	assert_in_range(counted(&c, START - S, 20 * MS, 8), 7, 8);
}

/* Threads whose sleeps are all spin count none, and must not follow what was long ago. */
static void count_that_nobody_renews_ends(void **state)
{
	struct hpt_crowd c = { 0 };

	(void)state;
	assert_true(counted(&c, START, 24 * MS, 64) > 0);
	assert_true(hpt_crowd_per_ms(&c, c.since_ns + 2 * HPT_CROWD_COUNTED_NS - 1) > 0);
	assert_int_equal(hpt_crowd_per_ms(&c, c.since_ns + 2 * HPT_CROWD_COUNTED_NS), 0);
	assert_true(hpt_crowd_per_ms(&c, c.since_ns - HPT_CROWD_COUNTED_NS) > 0);
	assert_int_equal(hpt_crowd_per_ms(&c, c.since_ns - HPT_CROWD_COUNTED_NS - 1), 0);
}

/* ---- Who ------------------------------------------------------------------------------------------------------- */

static void one_thread_is_alone(void **state)
{
	struct hpt_crowd c = { 0 };

	(void)state;
	assert_false(hpt_crowd_is_only(&c, 64));
	assert_false(hpt_crowd_join(&c, 1, 64));
	assert_true(hpt_crowd_is_only(&c, 64));
	assert_false(hpt_crowd_join(&c, 1, 64));
	assert_true(hpt_crowd_join(&c, 1, 128));
	assert_false(hpt_crowd_is_only(&c, 64));
	assert_false(hpt_crowd_is_only(&c, 128));
	assert_true(hpt_crowd_join(&c, 1, 64));
	assert_false(hpt_crowd_is_only(&c, 1));
	/* A fork leaves one. */
	assert_false(hpt_crowd_join(&c, 2, 128));
	assert_true(hpt_crowd_is_only(&c, 128));
}

/* Others may have ended: once a second the next to sleep is alone, until another does. */
static void whether_one_is_alone_is_asked_again(void **state)
{
	struct hpt_crowd c = { 0 };

	(void)state;
	hpt_crowd_join(&c, 1, 64);
	assert_true(hpt_crowd_join(&c, 1, 128));
	counted(&c, START, 20 * MS, 8);
	assert_true(hpt_crowd_join(&c, 1, 128));
	counted(&c, START + 20 * MS, S - 28 * MS, 8);
	assert_true(hpt_crowd_join(&c, 1, 128));
	counted(&c, START + S - 8 * MS, 20 * MS, 8);
	assert_false(hpt_crowd_join(&c, 1, 128));
	assert_true(hpt_crowd_is_only(&c, 128));
	assert_true(hpt_crowd_join(&c, 1, 64));
	counted(&c, START + S + 12 * MS, 20 * MS, 8);
	assert_true(hpt_crowd_join(&c, 1, 128));
	/* By a clock that was set back too. */
	counted(&c, START - S, 20 * MS, 8);
	assert_false(hpt_crowd_join(&c, 1, 128));
}

static void thread_without_a_name_is_one_of_many(void **state)
{
	struct hpt_crowd c = { 0 };

	(void)state;
	assert_false(hpt_crowd_is_only(&c, 0));
	assert_true(hpt_crowd_join(&c, 1, 0));
	assert_false(hpt_crowd_is_only(&c, 0));
	assert_true(hpt_crowd_join(&c, 1, 64));
}

static void forked_child_is_alone(void **state)
{
	struct hpt_crowd c = { 0 };

	(void)state;
	counted(&c, START, 20 * MS, 64);
	assert_true(hpt_crowd_take(&c, 1, START + 20 * MS, START + 21 * MS, START + 22 * MS, 0));
	assert_int_equal(count(&c, 2, START + 20 * MS), 0);
	assert_int_equal(c.sleeps, 1);
	assert_true(hpt_crowd_take(&c, 1, START + 20 * MS, START + 21 * MS, START + 22 * MS, 0));
}

/* Programs may write anything into memory that they share. */
static void any_content_is_valid(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct hpt_crowd c;
		unsigned char *bytes = (unsigned char *)&c;
		int64_t now_ns = START + (int64_t)random_below(1000) * MS;

		for (size_t n = 0; n < sizeof(c); n++)
			bytes[n] = random_below(4) ? (unsigned char)random_below(256) : random_below(2) ? 255 : 0;
		if (i % 3 == 0)
			c.since_ns = c.asked_ns = i % 2 ? INT64_MIN : INT64_MAX;
		hpt_crowd_is_only(&c, 64);
		hpt_crowd_per_ms(&c, now_ns);
		hpt_crowd_take(&c, 1, now_ns, now_ns, now_ns + MS, c.windows[0]);
		if (i % 2)
			c.process = 1;
		hpt_crowd_count(&c, 1, now_ns);
		hpt_crowd_join(&c, 1, 64);
		assert_int_equal(c.process, 1);
	}
}

/* ---- Places ---------------------------------------------------------------------------------------------------- */

/* At START. */
static uint64_t taken(struct hpt_crowd *c, uint32_t places, int64_t from_us, int64_t to_us)
{
	return hpt_crowd_take(c, places, START, START + from_us * US, START + to_us * US, 0);
}

static void places_are_for_so_many_at_a_time(void **state)
{
	(void)state;
	for (uint32_t places = 1; places <= 5; places++) {
		struct hpt_crowd c = { 0 };

		for (uint32_t i = 0; i < places; i++)
			assert_true(taken(&c, places, 100 + i, 150 + i));
		assert_false(taken(&c, places, 100, 150));
		assert_false(taken(&c, places, 50, 110));
		assert_false(taken(&c, places, 140, 200));
		assert_false(taken(&c, places, 120, 125));
		assert_false(taken(&c, places, 10, 1000));
		assert_true(taken(&c, places, 200, 250));
		assert_true(taken(&c, places, 10, 90));
	}
}

static void no_place_is_none(void **state)
{
	struct hpt_crowd c = { 0 };

	(void)state;
	assert_false(taken(&c, 0, 100, 150));
	for (size_t i = 0; i < HPT_CROWD_WINDOWS; i++)
		assert_int_equal(c.windows[i], 0);
}

/* One after another, for hours: none is ever given back. */
static void places_end_by_themselves(void **state)
{
	struct hpt_crowd c = { 0 };

	(void)state;
	for (int64_t t = START; t < START + 10000 * S; t += 123456789) {
		assert_true(hpt_crowd_take(&c, 1, t, t + 900 * US, t + 950 * US, 0));
		assert_false(hpt_crowd_take(&c, 1, t + 949 * US, t + 949 * US, t + 1200 * US, 0));
		assert_true(hpt_crowd_take(&c, 1, t + 953 * US, t + 953 * US, t + 1200 * US, 0));
	}
}

static void place_far_away_is_none(void **state)
{
	struct hpt_crowd c = { 0 };

	(void)state;
	assert_false(hpt_crowd_take(&c, 1, START, START + MS, START + HPT_CROWD_AHEAD_NS + 1, 0));
	assert_true(hpt_crowd_take(&c, 1, START, START + MS, START + HPT_CROWD_AHEAD_NS, 0));
	assert_false(taken(&c, 1, 1000, 1010));
	assert_false(taken(&c, 1, 7990, 7999));
	assert_true(taken(&c, 1, 100, 990));
}

static void full_table_has_no_place(void **state)
{
	struct hpt_crowd c = { 0 };

	(void)state;
	for (int64_t i = 0; i < HPT_CROWD_WINDOWS; i++)
		assert_true(taken(&c, 9, 100 * i, 100 * i + 50));
	assert_false(taken(&c, 9, 7000, 7050));
	assert_true(hpt_crowd_take(&c, 9, START + 60 * US, START + 7000 * US, START + 7050 * US, 0));
	assert_false(taken(&c, 9, 7100, 7150));
}

/* A sleep that waits again exchanges its place, also for one that overlaps with it. */
static void place_is_exchanged(void **state)
{
	struct hpt_crowd c = { 0 };
	uint64_t mine = taken(&c, 1, 100, 150), other;

	(void)state;
	mine = hpt_crowd_take(&c, 1, START, START + 120 * US, START + 170 * US, mine);
	assert_true(mine);
	assert_true(taken(&c, 1, 50, 110));
	assert_false(taken(&c, 1, 150, 160));
	/* Where the new one is not to be had the old one is gone. */
	other = taken(&c, 1, 200, 250);
	assert_true(other);
	assert_false(hpt_crowd_take(&c, 1, START, START + 160 * US, START + 210 * US, mine));
	assert_true(taken(&c, 1, 120, 170));
	/* One that is over already harms nobody. */
	assert_true(hpt_crowd_take(&c, 1, START + S, START + S, START + S + MS, mine));
}

/* A restored checkpoint, or a child in a time namespace: windows of years ahead end too. */
static void clock_that_was_set_back_frees_all(void **state)
{
	struct hpt_crowd c = { 0 };

	(void)state;
	for (int64_t i = 0; i < HPT_CROWD_WINDOWS; i++)
		assert_true(taken(&c, 9, 100 * i, 100 * i + 50));
	assert_true(hpt_crowd_take(&c, 1, S, S + 100 * US, S + 150 * US, 0));
	assert_false(hpt_crowd_take(&c, 1, S, S + 100 * US, S + 150 * US, 0));
	assert_true(hpt_crowd_take(&c, 1, START - 20 * MS, START - 19 * MS, START - 18 * MS, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sleeps_of_a_millisecond_are_counted),
		cmocka_unit_test(what_was_is_forgotten),
		cmocka_unit_test(thread_that_comes_late_counts_as_one),
		cmocka_unit_test(clock_that_was_set_back_begins_again),
		cmocka_unit_test(count_that_nobody_renews_ends),
		cmocka_unit_test(one_thread_is_alone),
		cmocka_unit_test(whether_one_is_alone_is_asked_again),
		cmocka_unit_test(thread_without_a_name_is_one_of_many),
		cmocka_unit_test(forked_child_is_alone),
		cmocka_unit_test(any_content_is_valid),
		cmocka_unit_test(places_are_for_so_many_at_a_time),
		cmocka_unit_test(no_place_is_none),
		cmocka_unit_test(places_end_by_themselves),
		cmocka_unit_test(place_far_away_is_none),
		cmocka_unit_test(full_table_has_no_place),
		cmocka_unit_test(place_is_exchanged),
		cmocka_unit_test(clock_that_was_set_back_frees_all),
	};

	random_start();
	return cmocka_run_group_tests_name("crowd", tests, NULL, NULL);
}
