// SPDX-License-Identifier: MIT
/* The figures, of results that are whole, cut short or odd. */
#include "markup.h"
#include "plot_world.h"
#include "captured_err.h"

static char *draw_read(const struct hpt_reads *r)
{
	struct markup m;

	markup_open(&m);
	hpt_plot_reads(r, m.to);
	return figure_close(&m);
}

static char *draw_sweep(const struct hpt_sweep *s)
{
	struct markup m;

	markup_open(&m);
	hpt_plot_sweep(s, m.to);
	return figure_close(&m);
}

static char *draw_wakes(const struct hpt_wakes *s)
{
	struct markup m;

	markup_open(&m);
	hpt_plot_wakes(s, m.to);
	return figure_close(&m);
}

/* ---- Reads ------------------------------------------------------------------------------------------------------ */

static void every_row_of_reads_is_drawn(void **state)
{
	struct hpt_reads r;
	char *svg;

	(void)state;
	world_read(&r, COUNT(world_calls), 1000, 200);
	svg = draw_read(&r);
	for (size_t i = 0; i + 1 < COUNT(world_calls); i++)
		assert_says(svg, world_calls[i].name);
	assert_says(svg, "std &lt;chrono&gt; &amp; &quot;friends&quot;");
	/* Named as a strip and, five of them and rdtscp, over time. */
	assert_int_equal(count_of(svg, "class=\"head\">hpt_now(tsc)<"), 1);
	assert_int_equal(count_of(svg, "class=\"head\">clock_gettime(MONOTONIC)<"), 1);
	assert_int_equal(count_of(svg, "class=\"head\">rdtscp<"), 1);
	assert_int_equal(count_of(svg, "class=\"head\">gettimeofday<"), 0);
	free(svg);
	world_read_free(&r);
}

static void peaks_are_drawn(void **state)
{
	struct hpt_reads r;
	char *svg;

	(void)state;
	world_read(&r, 1, 1000, 20);
	for (size_t i = 0; i < 20000; i++)
		r.rows[0].single_ps[i] = 10000;
	r.rows[0].single_ps[777] = 345000000;
	hpt_stats_of(r.rows[0].single_ps, 20000, &r.rows[0].single);
	svg = draw_read(&r);
	assert_int_equal(count_of(svg, "hpt_now(tsc): up to 345 us, median 10 ns, at "), 1);
	assert_says(svg, "1 of 20000 lie beyond the right end.");
	free(svg);
	world_read_free(&r);
}

/* Rounds that were not ended hold whatever they hold. */
static void only_whole_rounds_are_drawn(void **state)
{
	struct hpt_reads r;
	char *svg;

	(void)state;
	world_read(&r, 3, 10, 5);
	for (unsigned i = 0; i < r.n_rows; i++) {
		for (size_t k = 15; k < 50; k++)
			r.rows[i].single_ps[k] = INT64_C(777000000000000);
		for (size_t k = 3; k < 10; k++)
			r.rows[i].begun_ns[k] = INT64_C(999000000000);
		hpt_stats_of(r.rows[i].single_ps, 15, &r.rows[i].single);
	}
	atomic_store(&r.rounds_done, 3);
	svg = draw_read(&r);
	assert_never_says(svg, "777 s");
	assert_never_says(svg, "999 s");
	assert_never_says(svg, "500 s");
	assert_says(svg, "CPU 1, 3 rounds;");
	free(svg);
	world_read_free(&r);
}

static void reads_of_nothing_and_below_it(void **state)
{
	static const int64_t odd[] = { 0, -1, -4000, 1, INT64_MAX / 2, INT64_MIN / 2, 500 };

	(void)state;
	for (size_t i = 0; i < COUNT(odd); i++) {
		struct hpt_reads r;
		char *svg;

		world_read(&r, 2, 1, 1);
		r.rows[0].single_ps[0] = odd[i];
		hpt_stats_of(r.rows[0].single_ps, 1, &r.rows[0].single);
		svg = draw_read(&r);
		if (odd[i] < 1000)
			assert_says(svg, "1 of 2 values are below 1 ns");
		else
			assert_never_says(svg, "values are below");
		free(svg);
		world_read_free(&r);
	}
}

static void no_reads_at_all(void **state)
{
	struct hpt_reads r;
	char *svg;

	(void)state;
	world_read(&r, 0, 0, 0);
	svg = draw_read(&r);
	free(svg);
	world_read_free(&r);
	world_read(&r, 4, 0, 200);
	svg = draw_read(&r);
	assert_says(svg, world_calls[3].name);
	free(svg);
	world_read_free(&r);
}

/* ---- Sleeps ----------------------------------------------------------------------------------------------------- */

static void every_way_is_drawn_twice(void **state)
{
	struct hpt_sweep s;
	char *svg;

	(void)state;
	world_sweep(&s, 18, HPT_CANDIDATES);
	svg = draw_sweep(&s);
	assert_int_equal(count_of(svg, ">nanosleep</text>"), 2);
	assert_int_equal(count_of(svg, ">busy wait</text>"), 2);
	assert_int_equal(count_of(svg, ">the papers&#39; rule</text>"), 2);
	assert_int_equal(count_of(svg, ">1/HZ: 4 ms</text>"), 2);
	/* A marker for each length of a way, in both. */
	assert_int_equal(count_of(svg, "<title>nanosleep, "), 36);
	free(svg);
	world_sweep_free(&s);
}

static void ways_left_out_are_left_out(void **state)
{
	struct hpt_sweep s;
	char *svg;

	(void)state;
	world_sweep(&s, 18, HPT_CANDIDATE_BUSY);
	s.plan.is_loaded = true;
	svg = draw_sweep(&s);
	assert_never_says(svg, "busy wait");
	assert_says(svg, "beside a busy thread");
	free(svg);
	world_sweep_free(&s);
}

static void early_and_free_sleeps_are_at_the_foot(void **state)
{
	struct hpt_sweep s;
	char *svg;

	(void)state;
	world_sweep(&s, 3, HPT_CANDIDATES);
	s.lengths[0][0].miss.median = 0;
	s.lengths[1][1].miss.median = -70000;
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
	struct hpt_sweep s;

	(void)state;
	for (unsigned n = 0; n <= 1; n++)
		for (unsigned ways = 0; ways <= HPT_CANDIDATES; ways += HPT_CANDIDATES) {
			world_sweep(&s, n, ways);
			free(draw_sweep(&s));
			world_sweep_free(&s);
		}
}

static void from_a_microsecond_to_an_hour(void **state)
{
	struct hpt_sweep s;
	char *svg;

	(void)state;
	world_sweep(&s, 2, HPT_CANDIDATES);
	s.lengths_ns[0] = INT64_C(3600000000000);
	s.lengths_ns[1] = 1000;
	svg = draw_sweep(&s);
	assert_says(svg, ", 3600 s: ");
	free(svg);
	world_sweep_free(&s);
}

/* ---- Wakes ------------------------------------------------------------------------------------------------------ */

static void every_phase_and_keeper_is_drawn(void **state)
{
	struct hpt_wakes s;
	char *svg;

	(void)state;
	world_wakes(&s, 1000, 20000);
	svg = draw_wakes(&s);
	for (unsigned i = 0; i < s.n_phases; i++)
		assert_says(svg, s.phases[i].name);
	for (unsigned i = 0; i < s.n_keepers; i++)
		assert_says(svg, s.keepers[i].name);
	assert_says(svg, ">bare flag</text>");
	assert_int_equal(count_of(svg, ">bare futex</text>"), 1);
	assert_says(svg, ">20 s</text>");
	free(svg);
	world_wakes_free(&s);
}

static void parts_that_were_not_measured(void **state)
{
	struct hpt_wakes s;
	char *svg;

	(void)state;
	world_wakes(&s, 1, 1);
	atomic_store(&s.phases[2].rounds_done, 0);
	atomic_store(&s.keepers[2].done, 0);
	svg = draw_wakes(&s);
	assert_int_equal(count_of(svg, ">not measured</text>"), 2);
	free(svg);
	world_wakes_free(&s);
	world_wakes(&s, 0, 0);
	svg = draw_wakes(&s);
	assert_int_equal(count_of(svg, ">not measured</text>"), 6);
	free(svg);
	world_wakes_free(&s);
}

static void one_cpu_and_no_ticker(void **state)
{
	struct hpt_wakes s = { .cpu = 0, .sleeper_cpu = -1 };
	char *svg;

	(void)state;
	svg = draw_wakes(&s);
	assert_never_says(svg, "waker");
	assert_never_says(svg, "period of");
	free(svg);
}

static void only_whole_ticks_are_drawn(void **state)
{
	struct hpt_wakes s;
	char *svg;

	(void)state;
	world_wakes(&s, 10, 100);
	for (unsigned i = 0; i < s.n_keepers; i++) {
		for (size_t k = 50; k < 100; k++)
			s.keepers[i].late_ps[k] = INT64_C(777000000000000);
		atomic_store(&s.keepers[i].done, 50);
		hpt_stats_of(s.keepers[i].late_ps, 50, &s.keepers[i].late);
	}
	svg = draw_wakes(&s);
	assert_never_says(svg, "777 s");
	free(svg);
	world_wakes_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_of_reads_is_drawn),
		cmocka_unit_test(peaks_are_drawn),
		cmocka_unit_test(only_whole_rounds_are_drawn),
		cmocka_unit_test(reads_of_nothing_and_below_it),
		cmocka_unit_test(no_reads_at_all),
		cmocka_unit_test(every_way_is_drawn_twice),
		cmocka_unit_test(ways_left_out_are_left_out),
		cmocka_unit_test(early_and_free_sleeps_are_at_the_foot),
		cmocka_unit_test(few_lengths),
		cmocka_unit_test(from_a_microsecond_to_an_hour),
		cmocka_unit_test(every_phase_and_keeper_is_drawn),
		cmocka_unit_test(parts_that_were_not_measured),
		cmocka_unit_test(one_cpu_and_no_ticker),
		cmocka_unit_test(only_whole_ticks_are_drawn),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
