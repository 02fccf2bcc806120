// SPDX-License-Identifier: MIT
/* Intervals of UTC, and what follows from them: against a clock whose drift is known. */
#include "unit.h"

#include "trace/walls.h"

#define MS INT64_C(1000000)

static struct walls walls;

static void state(uint64_t generation, int64_t ns, int64_t earliest_ns, int64_t latest_ns, uintmax_t line)
{
	walls_add(&walls, &(struct walls_point){ generation, ns, 0, earliest_ns, latest_ns, line });
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
	assert_int_equal(walls_settle(&walls), 0);
	assert_interval(at(0, 0, 0), -102, 102);
	assert_interval(at(0, 100 * MS, 0), 100 * MS - 5102, 100 * MS + 5102);
	assert_interval(at(0, -100 * MS, 0), -100 * MS - 5102, -100 * MS + 5102);
	assert_interval(at(0, 0, 30), -132, 132);
	walls_free(&walls);
}

static void statements_narrow_each_other_in_both_directions(void **unused)
{
	(void)unused;
	/* Out of order, as several threads may write them. */
	state(0, 2 * MS, 2 * MS - 9000, 2 * MS + 9000, 3);
	state(0, 0, -9000, 9000, 1);
	state(0, MS, MS - 10, MS + 10, 2);
	assert_int_equal(walls_settle(&walls), 0);
	assert_interval(walls.points[0], -62, 62);
	assert_interval(walls.points[2], 2 * MS - 62, 2 * MS + 62);
	/* Between two, each end is the better one of the two. */
	assert_interval(at(0, MS / 2, 0), MS / 2 - 37, MS / 2 + 37);
	walls_free(&walls);
}

static void generations_are_apart(void **unused)
{
	struct walls_point p = { .generation = 1, .ns = 5 };

	(void)unused;
	state(0, 0, -100, 100, 1);
	state(2, 10, 5000 * MS, 5001 * MS, 2);
	assert_int_equal(walls_settle(&walls), 0);
	assert_false(walls_at(&walls, &p));
	assert_true(at(0, 11, 0).latest_ns < 300);
	assert_true(at(2, -3, 0).earliest_ns > 4999 * MS);
	walls_free(&walls);
}

static void contradictions_are_found(void **unused)
{
	(void)unused;
	state(0, 0, 0, 100, 7);
	state(0, 1000, 5000, 5100, 8);
	assert_int_equal(walls_settle(&walls), 8);
	walls_free(&walls);
	state(0, 0, 0, 100, 7);
	state(1, 1000, 5000, 5100, 8);
	assert_int_equal(walls_settle(&walls), 0);
	walls_free(&walls);
}

static void an_unknown_error_narrows_nothing(void **unused)
{
	struct walls_point p = { .generation = 0, .ns = 5, .error_ns = INT64_MAX };

	(void)unused;
	state(0, 0, -100, 100, 1);
	assert_int_equal(walls_settle(&walls), 0);
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
		assert_int_equal(walls_settle(&walls), 0);
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
		cmocka_unit_test(contradictions_are_found),
		cmocka_unit_test(an_unknown_error_narrows_nothing),
		cmocka_unit_test(the_truth_is_never_outside),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
