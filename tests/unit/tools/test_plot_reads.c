// SPDX-License-Identifier: MIT
/* Plots of reads: complete results, interrupted results, odd values. */
#include "captured_err.h"
#include "markup.h"
#include "plot_world.h"

#include "bench/plot_reads.h"

static char *draw_as(const struct reads *r, enum plot_form form)
{
	struct markup m;

	markup_open(&m);
	plot_reads(r, form, m.to);
	return plot_close(&m);
}

/* The file; the form for narrow screens is drawn as well, and checked to be sound. */
static char *draw_read(const struct reads *r)
{
	free(draw_as(r, PLOT_NARROW));
	return draw_as(r, PLOT_FILE);
}

static void every_row_of_reads_is_drawn(void **state)
{
	struct reads r;
	char *svg;

	(void)state;
	world_read(&r, COUNT(world_calls), 1000, 200);
	svg = draw_read(&r);
	for (size_t i = 0; i + 1 < COUNT(world_calls); i++)
		assert_says(svg, world_calls[i].name);
	assert_says(svg, "std &lt;chrono&gt; &amp; &quot;friends&quot;");
	/* Each row has dots; hpt_now() and its yardstick also have a panel over time. */
	assert_int_equal(count_of(svg, ">hpt_now(tsc)</text>"), 2);
	assert_int_equal(count_of(svg, ">clock_gettime(MONOTONIC)</text>"), 2);
	assert_int_equal(count_of(svg, ">rdtscp</text>"), 1);
	assert_int_equal(count_of(svg, "<circle class=\"ring "), COUNT(world_calls) + 1); /* and one in the key */
	assert_int_equal(count_of(svg, "<circle class=\"ring ours"), 5 + 1);
	free(svg);
	world_read_free(&r);
}

static void peaks_are_drawn(void **state)
{
	struct reads r;
	char *svg;

	(void)state;
	world_read(&r, 1, 1000, 20);
	for (size_t i = 0; i < 20000; i++)
		r.rows[0].single_ps[i] = 10000;
	r.rows[0].single_ps[777] = 345000000;
	stats_of(r.rows[0].single_ps, 20000, &r.rows[0].single);
	svg = draw_read(&r);
	assert_int_equal(count_of(svg, "hpt_now(tsc): up to 345 \302\265s, median 10.0 ns, at "), 1);
	assert_says(svg, ", highest 345 \302\265s<");
	free(svg);
	world_read_free(&r);
}

static unsigned call_of(const char *name)
{
	unsigned i = 0;

	while (reads_name(i) && strcmp(reads_name(i), name) != 0)
		i++;
	assert_non_null(reads_name(i));
	return i;
}

/* Each has a panel, in place of hpt_now() and its yardstick, over the number of the read. */
static void chosen_reads_are_drawn_by_their_number(void **state)
{
	struct reads r;
	char *svg;

	(void)state;
	world_read(&r, 9, 20, 100);
	r.plan.trace = (struct choice){ .n = 2, .way = { call_of("clock_gettime(MONOTONIC)"),
							 call_of("hpt_now(os)") } };
	r.rows[1].single_ps[1999] = 345000000;
	stats_of(r.rows[1].single_ps, 2000, &r.rows[1].single);
	svg = draw_read(&r);
	assert_int_equal(count_of(svg, ">hpt_now(os)</text>"), 2);
	assert_int_equal(count_of(svg, ">clock_gettime(MONOTONIC)</text>"), 2);
	assert_int_equal(count_of(svg, ">hpt_now(tsc)</text>"), 1);
	assert_says(svg, ">number of the read</text>");
	assert_says(svg, ">2,000</text>");
	assert_int_equal(count_of(svg, "hpt_now(os): up to 345 \302\265s, median "), 1);
	free(svg);
	world_read_free(&r);
}

/* Incomplete rounds contain arbitrary values. */
static void only_whole_rounds_are_drawn(void **state)
{
	struct reads r;
	char *svg;

	(void)state;
	world_read(&r, 3, 10, 5);
	for (unsigned i = 0; i < r.n_rows; i++) {
		for (size_t k = 15; k < 50; k++)
			r.rows[i].single_ps[k] = INT64_C(777000000000000);
		for (size_t k = 3; k < 10; k++)
			r.rows[i].begun_ns[k] = INT64_C(999000000000);
		stats_of(r.rows[i].single_ps, 15, &r.rows[i].single);
	}
	atomic_store(&r.rounds_done, 3);
	svg = draw_read(&r);
	assert_never_says(svg, "777 s");
	assert_never_says(svg, "999 s");
	assert_never_says(svg, "500 s");
	assert_says(svg, ">CPU 1, 3 rounds</text>");
	free(svg);
	world_read_free(&r);
}

static void reads_of_nothing_and_below_it(void **state)
{
	static const int64_t odd[] = { 0, -1, -4000, 1, INT64_MAX / 2, INT64_MIN / 2, 500 };

	(void)state;
	for (size_t i = 0; i < COUNT(odd); i++) {
		struct reads r;
		char *svg;

		world_read(&r, 9, 1, 1); /* up to clock_gettime(MONOTONIC) */
		r.rows[0].single_ps[0] = odd[i];
		stats_of(r.rows[0].single_ps, 1, &r.rows[0].single);
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
	struct reads r;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_of_reads_is_drawn),
		cmocka_unit_test(peaks_are_drawn),
		cmocka_unit_test(chosen_reads_are_drawn_by_their_number),
		cmocka_unit_test(only_whole_rounds_are_drawn),
		cmocka_unit_test(reads_of_nothing_and_below_it),
		cmocka_unit_test(no_reads_at_all),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
