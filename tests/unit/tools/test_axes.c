// SPDX-License-Identifier: MIT
/* Ranges, ticks and labels of axes, and the lines drawn along them. */
#include <math.h>

#include "captured_err.h"
#include "markup.h"

#include "plot/axes.h"

static struct axis log_time(double low, double high)
{
	struct axis axis = { .unit = AXIS_TIME, .is_log = true };

	axis_fit(&axis, low, high);
	return axis;
}

static struct axis linear_time(double low, double high)
{
	struct axis axis = { .unit = AXIS_TIME };

	axis_fit(&axis, low, high);
	return axis;
}

/* The labels of the ticks, one after the other. */
static const char *labels_of(const struct axis *axis, double length, bool is_across)
{
	static char all[1024];
	struct axis_tick ticks[AXIS_TICKS_MAX];
	size_t n = axis_ticks(axis, length, is_across, ticks), used = 0;

	all[0] = '\0';
	for (size_t i = 0; i < n; i++)
		if (ticks[i].text[0])
			used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s", used ? "|" : "",
						 ticks[i].text);
	return all;
}

static void log_ranges_end_at_1_2_5(void **state)
{
	static const struct { double low, high, from, to; } rows[] = {
		{ 8200, 5.9e6, 5000, 1e7 }, { 1000, 1e6, 1000, 1e6 }, { 2000, 5e5, 2000, 5e5 },
		{ 2001, 499999, 2000, 5e5 },
		{ 7000, 7000, 2000, 20000 },    /* equal values: some room on both sides */
		{ 0, 4e6, 2e6, 1e7 }, { -7, -3, 500, 2000 }, /* no logarithm */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct axis axis = log_time(rows[i].low, rows[i].high);

		if (fabs(axis.from / rows[i].from - 1) > 1e-9 || fabs(axis.to / rows[i].to - 1) > 1e-9)
			fail_msg("%g .. %g: %g .. %g", rows[i].low, rows[i].high, axis.from, axis.to);
	}
}

static void log_labels_thin_out(void **state)
{
	struct axis narrow = log_time(1e3, 1e5), wide = log_time(1e3, 1e13), huge = log_time(1, 9.2e18);

	(void)state;
	assert_string_equal(labels_of(&narrow, 600, true), "1 ns|2 ns|5 ns|10 ns|20 ns|50 ns|100 ns");
	assert_string_equal(labels_of(&wide, 700, true),
			    "1 ns|10 ns|100 ns|1 us|10 us|100 us|1 ms|10 ms|100 ms|1 s|10 s");
	assert_string_equal(labels_of(&wide, 120, false), "10 ns|1 us|100 us|10 ms|1 s");
	assert_string_equal(labels_of(&huge, 120, true), "1 ps|10 ms");
}

static void log_axes_have_lines_between(void **state)
{
	struct axis axis = log_time(1e3, 1e5);
	struct axis_tick ticks[AXIS_TICKS_MAX];

	(void)state;
	assert_int_equal(axis_ticks(&axis, 600, true, ticks), 9 + 9 + 1);
	assert_true(ticks[1].is_major && !ticks[2].is_major);
	/* Finer lines would merge. */
	assert_int_equal(axis_ticks(&axis, 40, true, ticks), 3);
}

static void linear_ticks_are_round(void **state)
{
	struct axis seconds = linear_time(0, 13.3e12), tenths = linear_time(0, 0.35e12), none = linear_time(0, 0);
	struct axis below = linear_time(-3e6, 4e6);

	(void)state;
	assert_string_equal(labels_of(&seconds, 866, true), "0 s|2 s|4 s|6 s|8 s|10 s|12 s|14 s");
	assert_string_equal(labels_of(&tenths, 500, true), "0 ms|50 ms|100 ms|150 ms|200 ms|250 ms|300 ms|350 ms");
	assert_string_equal(labels_of(&below, 300, true), "-2 us|0 us|2 us|4 us");
	assert_true(none.to > none.from);
}

static void shares_are_per_cent(void **state)
{
	struct axis axis = { .unit = AXIS_SHARE, .is_log = true };

	(void)state;
	axis_fit(&axis, 10, 1000000);
	assert_string_equal(labels_of(&axis, 300, false), "0.001 %|0.01 %|0.1 %|1 %|10 %|100 %");
}

static void what_lies_outside_is_at_the_nearer_end(void **state)
{
	struct axis log = log_time(1e3, 1e7), linear = linear_time(0, 10e12);

	(void)state;
	assert_float_equal(axis_at(&log, 1e5), 0.5, 1e-9);
	assert_float_equal(axis_at(&log, 1e9), 1, 0);
	for (size_t i = 0; i < 4; i++)
		assert_float_equal(axis_at(&log, (const double[]){ 1, 0, -1e300, NAN }[i]), 0, 0);
	assert_float_equal(axis_at(&linear, 5e12), 0.5, 1e-9);
	assert_float_equal(axis_at(&linear, -1), 0, 0);
	assert_float_equal(axis_at(&linear, INFINITY), 1, 0);
	assert_float_equal(axis_at(&linear, NAN), 0, 0);
}

static struct panel panel_of(struct svg *svg)
{
	return (struct panel){ .svg = svg, .title = "<A> & \"B\"", .left = 50, .top = 50, .width = 400,
				   .height = 200, .x = log_time(1e3, 1e7), .y = log_time(1e3, 1e7) };
}

/* A tick at the edge of the drawing: half of its label would be outside. */
static void labels_stay_within_the_drawing(void **state)
{
	struct svg svg;
	struct panel p = panel_of(&svg);
	struct markup m;
	char *text, *label;
	double x = 0;

	(void)state;
	markup_open(&m);
	svg_begin(&svg, PLOT_NARROW, m.to, "", "");
	svg.y = 300;
	p.left = 0;
	p.width = 360;
	panel_frame_x(&p);
	svg_end(&svg);
	text = plot_close(&m);
	label = strstr(text, ">10 \302\265s<");
	assert_non_null(label);
	while (strncmp(label, "<text", 5) != 0)
		label--;
	assert_int_equal(sscanf(label, "<text x=\"%lf\"", &x), 1);
	assert_true(x > 330 && x + svg_text_width("10 us") / 2 <= 360);
	free(text);
}

static void text_is_escaped(void **state)
{
	struct svg svg;
	struct panel p = panel_of(&svg);
	struct markup m;
	char *text;

	(void)state;
	markup_open(&m);
	svg_begin(&svg, PLOT_FILE, m.to, "a < b", "it's \"so\"");
	svg.y = 300;
	panel_frame(&p);
	svg_put(&svg, SVG_DOT, 10, 10, true, "<tip>");
	svg_end(&svg);
	text = plot_close(&m);
	assert_says(text, "aria-label=\"a &lt; b\"");
	assert_says(text, "it&#39;s &quot;so&quot;");
	assert_says(text, "&lt;A&gt; &amp; &quot;B&quot;");
	assert_says(text, "<title>&lt;tip&gt;</title>");
	assert_says(text, "prefers-color-scheme:dark");
	free(text);
}

static void gaps_are_gaps(void **state)
{
	const double x[] = { 1e3, 1e4, 1e5, 1e6, 1e7 }, y[] = { 1e3, 1e4, NAN, 1e6, INFINITY };
	const struct panel_points five = { x, COUNT(x), false }, none = { x, 0, false };
	struct svg svg;
	struct panel p = panel_of(&svg);
	struct markup m;
	char *text, *line;

	(void)state;
	markup_open(&m);
	svg_begin(&svg, PLOT_FILE, m.to, "", "");
	svg.y = 300;
	panel_line(&p, &five, y, "tip");
	panel_band(&p, &five, y, y, "tip");
	panel_line(&p, &none, y, NULL);
	panel_band(&p, &none, y, y, NULL);
	svg_area(&svg, x, y, 0, false, NULL);
	svg_end(&svg);
	text = plot_close(&m);
	line = strstr(text, "class=\"line other\"");
	assert_non_null(line);
	assert_true(!strncmp(strstr(line, " d="), " d=\"M50.0 250.0M50.0 250.0L150.0 200.0M350.0 100.0\"",
			     strlen(" d=\"M50.0 250.0M50.0 250.0L150.0 200.0M350.0 100.0\"")));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(log_ranges_end_at_1_2_5),
		cmocka_unit_test(log_labels_thin_out),
		cmocka_unit_test(log_axes_have_lines_between),
		cmocka_unit_test(linear_ticks_are_round),
		cmocka_unit_test(shares_are_per_cent),
		cmocka_unit_test(what_lies_outside_is_at_the_nearer_end),
		cmocka_unit_test(labels_stay_within_the_drawing),
		cmocka_unit_test(text_is_escaped),
		cmocka_unit_test(gaps_are_gaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
