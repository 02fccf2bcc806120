// SPDX-License-Identifier: MIT
/* Plots of sweeps: all ways, ways left out, early sleeps, few lengths. */
#include "captured_err.h"
#include "markup.h"
#include "plot_world.h"

#include "bench/plot_sweep.h"

static char *draw_as(const struct sweep *s, enum plot_form form)
{
	struct markup m;

	markup_open(&m);
	plot_sweep(s, form, m.to);
	return plot_close(&m);
}

/* The file; the form for narrow screens is drawn as well, and checked to be sound. */
static char *draw_sweep(const struct sweep *s)
{
	free(draw_as(s, PLOT_NARROW));
	return draw_as(s, PLOT_FILE);
}

static void every_way_is_drawn_twice(void **state)
{
	struct sweep s;
	char *svg;

	(void)state;
	world_sweep(&s, 18, CANDIDATES);
	svg = draw_sweep(&s);
	assert_int_equal(count_of(svg, ">nanosleep</text>"), 2);
	assert_int_equal(count_of(svg, ">busy wait</text>"), 2);
	assert_int_equal(count_of(svg, ">the papers&#39; rule</text>"), 2);
	assert_int_equal(count_of(svg, "1/HZ, here 4 ms"), 1);
	/* A marker for each length of a way, in both panels. */
	assert_int_equal(count_of(svg, "<title>nanosleep, "), 36);
	free(svg);
	world_sweep_free(&s);
}

static void ways_left_out_are_left_out(void **state)
{
	struct sweep s;
	char *svg;

	(void)state;
	world_sweep(&s, 18, CANDIDATE_BUSY);
	svg = draw_sweep(&s);
	assert_never_says(svg, "busy wait");
	free(svg);
	world_sweep_free(&s);
}

static void early_and_free_sleeps_are_at_the_foot(void **state)
{
	struct sweep s;
	char *svg;

	(void)state;
	world_sweep(&s, 3, CANDIDATES);
	s.lengths[0][0].miss.min = s.lengths[0][0].miss.median = 0;
	s.lengths[1][1].miss.min = s.lengths[1][1].miss.median = -70000;
	s.lengths[2][2].cpu_ppm = 0;
	s.lengths[3][2].sleeps = 0;
	svg = draw_sweep(&s);
	assert_says(svg, "2 of 17 values are below 1 ns");
	assert_says(svg, "1 of 17 values are below 0.001 %");
	free(svg);
	world_sweep_free(&s);
}

static void few_lengths(void **state)
{
	struct sweep s;

	(void)state;
	for (unsigned n = 0; n <= 1; n++)
		for (unsigned ways = 0; ways <= CANDIDATES; ways += CANDIDATES) {
			world_sweep(&s, n, ways);
			free(draw_sweep(&s));
			world_sweep_free(&s);
		}
}

static void from_a_microsecond_to_an_hour(void **state)
{
	struct sweep s;
	char *svg;

	(void)state;
	world_sweep(&s, 2, CANDIDATES);
	s.lengths_ns[0] = INT64_C(3600000000000);
	s.lengths_ns[1] = 1000;
	svg = draw_sweep(&s);
	assert_says(svg, ", 3,600 s: ");
	free(svg);
	world_sweep_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_way_is_drawn_twice),
		cmocka_unit_test(ways_left_out_are_left_out),
		cmocka_unit_test(early_and_free_sleeps_are_at_the_foot),
		cmocka_unit_test(few_lengths),
		cmocka_unit_test(from_a_microsecond_to_an_hour),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
