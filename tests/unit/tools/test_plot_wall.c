// SPDX-License-Identifier: MIT
/* Plots of walls: bounds that come and go, one look, none, long watches, huge and negative differences. */
#include <stdlib.h>

#include "captured_err.h"
#include "markup.h"

#include "wall/plot_wall.h"

#define US INT64_C(1000)
#define MS INT64_C(1000000)
#define S  INT64_C(1000000000)

static char *draw_as(const struct plot_wall_point *points, size_t n, enum plot_form form)
{
	struct plot_wall wall = { .points = points, .n = n, .subtitle = "<of a test>" };
	struct markup m;

	markup_open(&m);
	plot_wall(&wall, form, m.to);
	return plot_close(&m);
}

/* The file; the form for narrow screens is drawn as well, and checked to be sound. */
static char *draw_wall(const struct plot_wall_point *points, size_t n)
{
	free(draw_as(points, n, PLOT_NARROW));
	return draw_as(points, n, PLOT_FILE);
}

/* A look at a second: an interval of 20 us about a CLOCK_REALTIME that is 100 us ahead. */
static struct plot_wall_point look_at(int64_t second)
{
	return (struct plot_wall_point){ .at_ns = second * S, .has_bound = true, .width_ns = 20 * US,
					     .ahead_min_ns = 90 * US, .ahead_max_ns = 110 * US };
}

/* The path of a kind with this tooltip. The caller frees it. */
static char *path_of(const char *svg, const char *tip)
{
	char title[64], *end, *start;

	snprintf(title, sizeof(title), "<title>%s</title>", tip);
	end = strstr(svg, title);
	assert_non_null(end);
	for (start = end; strncmp(start, "<path", strlen("<path")) != 0; start--)
		assert_true(start > svg);
	return strndup(start, (size_t)(end - start));
}

static unsigned points_of(const char *svg, const char *tip)
{
	char *path = path_of(svg, tip);
	unsigned n = count_of(path, "L") + count_of(path, "M");

	free(path);
	return n;
}

/* The vertical positions of a line's points, after the first, which only begins the path. */
static void assert_line_at(const char *svg, const char *tip, double fraction)
{
	char *path = path_of(svg, tip), *at = strpbrk(strstr(path, " d=\"M") + 5, "ML");
	double x, y, foot;

	assert_int_equal(sscanf(strstr(path, " d=\"M") + 5, "%lf %lf", &x, &foot), 2);
	assert_non_null(at);
	for (; at; at = strpbrk(at + 1, "ML")) {
		assert_int_equal(sscanf(at + 1, "%lf %lf", &x, &y), 2);
		if (y < foot - 190 * fraction - 0.2 || y > foot - 190 * fraction + 0.2)
			fail_msg("%s: %.40s is not at %f of the height", tip, at, fraction);
	}
	free(path);
}

static void each_look_is_a_point_of_each_line(void **state)
{
	struct plot_wall_point points[10];
	char *svg;

	(void)state;
	for (int i = 0; i < 10; i++)
		points[i] = look_at(i);
	svg = draw_wall(points, 10);
	/* A path begins with a point of its own. */
	assert_int_equal(points_of(svg, "greatest width"), 11);
	assert_int_equal(points_of(svg, "at least"), 11);
	assert_int_equal(points_of(svg, "at most"), 11);
	assert_int_equal(points_of(svg, "least to most"), 21);
	/* 20 us between 10 and 50 us of a logarithmic axis; 90 and 110 us between 0 and 120 us of a linear one. */
	assert_line_at(svg, "greatest width", 0.430677);
	assert_line_at(svg, "at least", 90.0 / 120);
	assert_line_at(svg, "at most", 110.0 / 120);
	assert_says(svg, ">9 s</text>");
	assert_says(svg, ">120 \302\265s</text>");
	assert_says(svg, "&lt;of a test&gt;");
	assert_never_says(svg, "no bound");
	free(svg);
}

static void a_lost_bound_is_a_gap_and_a_mark(void **state)
{
	struct plot_wall_point points[10];
	char *svg, *line;

	(void)state;
	for (int i = 0; i < 10; i++)
		points[i] = look_at(i);
	points[4].has_bound = points[5].has_bound = false;
	points[4].width_ns = INT64_MAX; /* is not looked at */
	svg = draw_wall(points, 10);
	assert_says(svg, "2 of 10 looks had no bound.");
	assert_says(svg, ">no bound</text>");
	assert_int_equal(count_of(svg, "class=\"mark other\""), 2 * 2 + 1); /* in both panels, and one in the key */
	line = path_of(svg, "greatest width");
	assert_int_equal(count_of(line, "M"), 3);
	assert_int_equal(count_of(line, "L"), 3 + 3);
	free(line);
	free(svg);
}

static void single_looks_are_dots(void **state)
{
	struct plot_wall_point points[3] = { look_at(0), look_at(1), look_at(2) };
	char *svg;

	(void)state;
	svg = draw_wall(points, 1);
	assert_int_equal(count_of(svg, "<circle "), 2);
	free(svg);
	points[1].has_bound = false;
	svg = draw_wall(points, 3);
	assert_int_equal(count_of(svg, "<circle "), 4);
	free(svg);
}

static void nothing_to_draw(void **state)
{
	struct plot_wall_point none = { .at_ns = 5 };
	char *svg;

	(void)state;
	svg = draw_wall(NULL, 0);
	assert_never_says(svg, "no bound");
	free(svg);
	svg = draw_wall(&none, 1);
	assert_says(svg, "1 of 1 looks had no bound.");
	free(svg);
}

/* A day of looks up to the end of the axis, one of them wide: it is seen, and the file stays small. */
static void peaks_of_long_watches_are_drawn(void **state)
{
	enum { N = 100001 };
	struct plot_wall_point *points = calloc(N, sizeof(points[0]));
	char *svg;

	(void)state;
	for (int i = 0; i < N; i++)
		points[i] = look_at(i);
	points[40000].width_ns = 3 * S;
	points[40000].ahead_min_ns = -700 * MS;
	svg = draw_wall(points, N);
	assert_says(svg, ">1 s</text>");
	assert_says(svg, ">-700 ms</text>");
	assert_int_equal(points_of(svg, "greatest width"), 210 + 1);
	assert_true(strlen(svg) < 50000);
	free(svg);
	free(points);
}

/* Zero is drawn wherever CLOCK_REALTIME is. */
static void both_signs_and_far_away(void **state)
{
	static const int64_t ahead_ns[] = { 0, -1, 1, -40 * US, 3600 * S, -3600 * S, INT64_MAX / 2, INT64_MIN / 2 };

	(void)state;
	for (size_t i = 0; i < COUNT(ahead_ns); i++) {
		struct plot_wall_point points[2] = { look_at(0), look_at(1) };
		char *svg;

		for (int k = 0; k < 2; k++) {
			points[k].ahead_min_ns = ahead_ns[i];
			points[k].ahead_max_ns = ahead_ns[i] + 1;
		}
		svg = draw_wall(points, 2);
		assert_int_equal(count_of(svg, "class=\"rule\""), 1);
		assert_int_equal(count_of(svg, ">0 "), 2); /* a label of each axis */
		free(svg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_look_is_a_point_of_each_line),
		cmocka_unit_test(a_lost_bound_is_a_gap_and_a_mark),
		cmocka_unit_test(single_looks_are_dots),
		cmocka_unit_test(nothing_to_draw),
		cmocka_unit_test(peaks_of_long_watches_are_drawn),
		cmocka_unit_test(both_signs_and_far_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
