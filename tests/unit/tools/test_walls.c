// SPDX-License-Identifier: MIT
/* Intervals of UTC, and what follows from them: against a clock whose drift is known. */
#include "unit.h"

#include "math/units.h"
#include "trace/walls.h"

#define MS INT64_C(1000000)

static struct walls walls = { .rate_ppb = WALLS_RATE_PPB };

static void state(uint64_t generation, int64_t ns, int64_t earliest_ns, int64_t latest_ns, uintmax_t line)
{
	walls_add(&walls, &(struct walls_point){ .generation = generation, .ns = ns, .earliest_ns = earliest_ns,
						 .latest_ns = latest_ns, .line = line });
}

static struct walls_point at(uint64_t generation, int64_t ns, int64_t error_ns)
{
	struct walls_point p = { .generation = generation, .ns = ns, .error_ns = error_ns };

	assert_true(walls_at(&walls, &p));
	return p;
}

static void assert_interval(struct walls_point p, int64_t earliest_ns, int64_t latest_ns)
{
	assert_int_equal(p.earliest_ns, earliest_ns);
	assert_int_equal(p.latest_ns, latest_ns);
}

static void bounds_grow_by_50_ppm_either_way(void **unused)
{
	(void)unused;
	state(0, 0, -100, 100, 1);
	walls_settle(&walls);
	assert_interval(at(0, 0, 0), -101, 101);
	assert_interval(at(0, 100 * MS, 0), 100 * MS - 5101, 100 * MS + 5101);
	assert_interval(at(0, -100 * MS, 0), -100 * MS - 5101, -100 * MS + 5101);
	assert_interval(at(0, 0, 30), -131, 131);
	walls_free(&walls);
}

static void statements_narrow_each_other_in_both_directions(void **unused)
{
	(void)unused;
	/* Out of order, as several threads may write them. */
	state(0, 2 * MS, 2 * MS - 9000, 2 * MS + 9000, 3);
	state(0, 0, -9000, 9000, 1);
	state(0, MS, MS - 10, MS + 10, 2);
	walls_settle(&walls);
	assert_int_equal(walls.n_contradictions, 0);
	assert_interval(walls.points[0], -61, 61);
	assert_interval(walls.points[2], 2 * MS - 61, 2 * MS + 61);
	/* Between two, each end is the better one of the two. */
	assert_interval(at(0, MS / 2, 0), MS / 2 - 36, MS / 2 + 36);
	walls_free(&walls);
}

static void generations_are_apart(void **unused)
{
	struct walls_point p = { .generation = 1, .ns = 5 };

	(void)unused;
	state(0, 0, -100, 100, 1);
	state(2, 10, 5000 * MS, 5001 * MS, 2);
	walls_settle(&walls);
	assert_false(walls_at(&walls, &p));
	assert_true(at(0, 11, 0).latest_ns < 300);
	assert_true(at(2, -3, 0).earliest_ns > 4999 * MS);
	walls_free(&walls);
}

/* Nothing follows from one side for the other: what is before goes by the first, what is after by the second. */
static void contradictions_are_counted_and_part(void **unused)
{
	(void)unused;
	state(0, 0, 0, 100, 7);
	state(0, 1000, 5000, 5100, 8);
	state(0, 2000, 6000, 6100, 9);
	walls_settle(&walls);
	assert_int_equal(walls.n_contradictions, 1);
	assert_int_equal(walls.first_contradiction, 8);
	assert_interval(at(0, 999, 0), 998, 1100);
	assert_interval(at(0, 1000, 0), 4999, 5101);
	assert_interval(at(0, -5, 0), -6, 96);
	walls_free(&walls);
	state(0, 0, 0, 100, 7);
	state(1, 1000, 5000, 5100, 8);
	walls_settle(&walls);
	assert_int_equal(walls.n_contradictions, 0);
	walls_free(&walls);
}

/* As after a leap second: no contradiction, and no part of the other either. */
static void generations_of_the_wall_are_apart(void **unused)
{
	(void)unused;
	for (uint64_t i = 0; i < 2; i++)
		walls_add(&walls, &(struct walls_point){ .wall_generation = i, .ns = (int64_t)i * 1000, .line = i + 1,
							 .earliest_ns = (int64_t)i * 5000,
							 .latest_ns = (int64_t)i * 5000 + 100 });
	walls_settle(&walls);
	assert_int_equal(walls.n_contradictions, 0);
	assert_interval(at(0, 999, 0), 998, 1100);
	assert_interval(at(0, 1000, 0), 4999, 5101);
	walls_free(&walls);
}

/* Each error counts once, also where an interval passes several statements. */
static void errors_are_in_the_interval_once(void **unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++)
		walls_add(&walls, &(struct walls_point){ .ns = i * 10, .error_ns = 1000, .earliest_ns = i * 10 - 5,
							 .latest_ns = i * 10 + 5 });
	walls_settle(&walls);
	assert_true(at(0, 20, 0).latest_ns <= 20 + 1005 + 2);
	assert_true(at(0, 20, 1000).latest_ns >= 20 + 2005);
	walls_free(&walls);
}

/* Wide and narrow statements in turns, off to one side: times go on in the order of the clock, but for the rounding. */
static void order_is_kept(void **unused)
{
	int64_t last = -MS;

	(void)unused;
	for (int i = 0; i < 50; i++) {
		int64_t ns = i * MS + (int64_t)random_below(MS), early = (int64_t)random_below(200000);

		walls_add(&walls, &(struct walls_point){ .ns = ns, .error_ns = 10000, .earliest_ns = ns - early,
							 .latest_ns = ns + 100 });
	}
	walls_settle(&walls);
	for (int64_t ns = 0; ns < 51 * MS; ns += 500) {
		struct walls_point p = at(0, ns, 10000);
		int64_t middle = p.earliest_ns + (p.latest_ns - p.earliest_ns) / 2;

		assert_true(middle >= last - 2);
		last = middle;
	}
	walls_free(&walls);
}

/* adjtimex(2) and adjtime(3) let CLOCK_MONOTONIC run 10.1 % off. */
static void the_os_clock_may_be_slewed(void **unused)
{
	(void)unused;
	walls.rate_ppb = WALLS_RATE_PPB + WALLS_SLEW_OS_PPB;
	state(0, 0, 0, 0, 1);
	walls_settle(&walls);
	assert_true(at(0, 899000, 0).latest_ns >= MS);
	assert_true(at(0, 1101000, 0).earliest_ns <= MS);
	walls_free(&walls);
	walls.rate_ppb = WALLS_RATE_PPB;
}

/* A clock that may nearly stand still: what it bounds does not fit, and is no contradiction. */
static void a_drift_without_end_narrows_nothing(void **unused)
{
	struct walls_point p = { .generation = 0, .ns = 10000 * MS };

	(void)unused;
	walls.rate_ppb = PPB - 1;
	state(0, 0, 0, 0, 1);
	state(0, 100000 * MS, 7, 7, 2);
	walls_settle(&walls);
	assert_int_equal(walls.n_contradictions, 0);
	assert_false(walls_at(&walls, &p));
	walls_free(&walls);
	walls.rate_ppb = WALLS_RATE_PPB;
}

static void an_unknown_error_narrows_nothing(void **unused)
{
	struct walls_point p = { .generation = 0, .ns = 5, .error_ns = INT64_MAX };

	(void)unused;
	state(0, 0, -100, 100, 1);
	walls_settle(&walls);
	assert_false(walls_at(&walls, &p));
	walls_free(&walls);
}

/* UTC runs up to 50 ppm faster or slower than the clock, and each statement holds it: so does what follows. */
static void the_truth_is_never_outside(void **unused)
{
	(void)unused;
	for (int run = 0; run < rounds(300); run++) {
		int64_t ppb = (int64_t)random_below(2 * WALLS_RATE_PPB + 1) - WALLS_RATE_PPB;

		for (uintmax_t i = 1; i <= 20; i++) {
			int64_t ns = (int64_t)random_below(1000 * MS), utc = ns + ns * ppb / 1000000000;

			state(0, ns, utc - (int64_t)random_below(5000), utc + (int64_t)random_below(5000), i);
		}
		walls_settle(&walls);
		assert_int_equal(walls.n_contradictions, 0);
		for (int i = 0; i < 100; i++) {
			int64_t ns = (int64_t)random_below(1200 * MS) - 100 * MS, utc = ns + ns * ppb / 1000000000;
			struct walls_point p = at(0, ns, 0);

			assert_true(p.earliest_ns <= utc && utc <= p.latest_ns);
		}
		walls_free(&walls);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_grow_by_50_ppm_either_way),
		cmocka_unit_test(statements_narrow_each_other_in_both_directions),
		cmocka_unit_test(generations_are_apart),
		cmocka_unit_test(contradictions_are_counted_and_part),
		cmocka_unit_test(generations_of_the_wall_are_apart),
		cmocka_unit_test(errors_are_in_the_interval_once),
		cmocka_unit_test(order_is_kept),
		cmocka_unit_test(the_os_clock_may_be_slewed),
		cmocka_unit_test(a_drift_without_end_narrows_nothing),
		cmocka_unit_test(an_unknown_error_narrows_nothing),
		cmocka_unit_test(the_truth_is_never_outside),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
