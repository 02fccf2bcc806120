// SPDX-License-Identifier: MIT
/* Values as texts, and labels that do not cover each other. */
#include <math.h>

#include "captured_err.h"
#include "markup.h"

#include "bench/plot/svg.h"

static void values_have_the_unit_that_reads_best(void **state)
{
	static const struct { double ps; const char *text; } rows[] = {
		{ 0, "0 ns" }, { 1, "1 ps" }, { -5, "-5 ps" }, { 999.4, "999 ps" }, { 999.6, "1 ns" },
		{ 17800, "17.8 ns" }, { 999600, "1 us" }, { 1234567, "1.23 us" },
		{ 5e9, "5 ms" }, { 1e12, "1 s" }, { 86400e12, "86400 s" },
		{ -2.5e6, "-2.5 us" }, { NAN, "0 ns" }, { INFINITY, "0 ns" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_string_equal(hpt_svg_time(rows[i].ps).s, rows[i].text);
	assert_string_equal(hpt_svg_share(1000000).s, "100 %");
	assert_string_equal(hpt_svg_share(160).s, "0.016 %");
	assert_string_equal(hpt_svg_share(0).s, "0 %");
}

/* The position of a label in the document. */
static double height_of(const char *svg, const char *words)
{
	const char *at = strstr(svg, words);
	double y = 0;

	assert_non_null(at);
	while (at > svg && strncmp(at, "<text", 5) != 0)
		at--;
	assert_int_equal(sscanf(at, "<text x=\"%*f\" y=\"%lf\"", &y), 1);
	return y;
}

static void labels_at_the_top_give_way_downward(void **state)
{
	struct hpt_svg_label labels[] = { { "two", 51, 1 }, { "one", 50, 0 }, { "three", 52, 2 } };
	struct hpt_svg svg = { .width = 500, .height = 300 };
	struct markup m;
	char *text;

	(void)state;
	markup_open(&m);
	svg.to = m.to;
	hpt_svg_begin(&svg, "", "");
	hpt_svg_labels(&svg, 400, 50, 250, labels, COUNT(labels));
	hpt_svg_end(&svg);
	text = plot_close(&m);
	assert_float_equal(height_of(text, ">one<"), 54, 0.1);
	assert_float_equal(height_of(text, ">two<"), 69, 0.1);
	assert_float_equal(height_of(text, ">three<"), 84, 0.1);
	free(text);
}

static void labels_of_lines_do_not_cover_each_other(void **state)
{
	struct hpt_svg_label labels[] = { { "two", 249, 1 }, { "one", 248, 0 }, { "three", 250, 2 }, { "far", 60, 3 },
					  { "four", 250, 4 } };
	static const char *const order[] = { ">far<", ">one<", ">two<", ">three<", ">four<" };
	struct hpt_svg svg = { .width = 500, .height = 300 };
	struct markup m;
	char *text;

	(void)state;
	markup_open(&m);
	svg.to = m.to;
	hpt_svg_begin(&svg, "", "");
	hpt_svg_labels(&svg, 400, 50, 250, labels, COUNT(labels));
	hpt_svg_labels(&svg, 400, 50, 250, labels, 0);
	hpt_svg_end(&svg);
	text = plot_close(&m);
	for (size_t i = 1; i < COUNT(order); i++)
		if (strcmp(order[i], ">four<") != 0 && strcmp(order[i], ">three<") != 0)
			assert_true(height_of(text, order[i]) - height_of(text, order[i - 1]) >= 14.9);
	assert_true(fabs(height_of(text, ">three<") - height_of(text, ">four<")) >= 14.9);
	assert_true(height_of(text, ">four<") <= 255 && height_of(text, ">far<") >= 50);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_have_the_unit_that_reads_best),
		cmocka_unit_test(labels_at_the_top_give_way_downward),
		cmocka_unit_test(labels_of_lines_do_not_cover_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
