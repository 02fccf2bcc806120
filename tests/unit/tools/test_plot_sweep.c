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

/* Their panels close up, and each sleep of a traced way is drawn by its number. */
static void chosen_ways_are_drawn_sleep_by_sleep(void **state)
{
	struct sleep_times times[7 * 2];
	struct sweep s;
	char *svg;

	(void)state;
	world_sweep(&s, 2, CANDIDATES);
	s.plan.rounds = 7;
	s.plan.only = s.plan.trace = (struct choice){ .n = 1, .way = { CANDIDATE_NANO } };
	s.watch = (struct stopwatch){ .clk = hpt_clock_default() };
	s.samples = times;
	for (size_t i = 0; i < COUNT(times); i++)
		times[i] = (struct sleep_times){ .before = 1, .after = 1 + hpt_ns_to_ticks(NULL, 50000) };
	s.bands[CANDIDATE_NANO][BAND_ALL].miss = (struct stats){ .count = 14, .min = 50000000, .max = 50000000,
								.median = 50000000 };
	svg = draw_sweep(&s);
	assert_never_says(svg, "busy wait");
	assert_says(svg, ">Miss, sleep by sleep</text>");
	assert_says(svg, ">number of the sleep</text>");
	assert_int_equal(count_of(svg, ">nanosleep</text>"), 3);
	assert_says(svg, "nanosleep: up to 50.0 \302\265s, median 50.0 \302\265s, at 13<");
	free(svg);
	s.plan.trace.n = 0;
	svg = draw_sweep(&s);
	assert_never_says(svg, "sleep by sleep");
	assert_says(svg, "soft mid num"); /* the lengths, below the only row */
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
		cmocka_unit_test(chosen_ways_are_drawn_sleep_by_sleep),
		cmocka_unit_test(early_and_free_sleeps_are_at_the_foot),
		cmocka_unit_test(few_lengths),
		cmocka_unit_test(from_a_microsecond_to_an_hour),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
