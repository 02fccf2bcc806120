// SPDX-License-Identifier: MIT
/* Draws distributions as strips that share one axis, with columns of numbers: tools/bench/plot/ridge.h. */
#include "bench/plot/ridge.h"

#include <math.h>
#include <stdlib.h>

#include "bench/plot/axes.h"
#include "bench/plot/parts.h"
#include "bench/plot/svg.h"
#include "stats.h"

/* Horizontal positions: names, strips, three columns of numbers. */
#define NAMES_RIGHT   238.0
#define STRIPS_LEFT   250.0
#define STRIPS_WIDTH  480.0
#define FIRST_NUMBER  798.0
#define NUMBERS_APART 71.0

#define STRIP_HEIGHT  27.0
#define RIDGE_HEIGHT  21.0
#define HEADS_HEIGHT  26.0
#define FOOT_HEIGHT   68.0
#define PARTS         160      /* 3 units each */

double hpt_ridges_height(size_t n)
{
	return HEADS_HEIGHT + STRIP_HEIGHT * (double)n + FOOT_HEIGHT;
}

static int by_median(const void *a, const void *b)
{
	const struct hpt_stats *x = ((const struct hpt_ridge *)a)->dist, *y = ((const struct hpt_ridge *)b)->dist;

	return (x->median > y->median) - (x->median < y->median);
}

static struct hpt_axis axis_of(const struct hpt_ridge *ridges, size_t n, const char *label)
{
	struct hpt_axis axis = { .unit = HPT_AXIS_TIME, .is_log = true, .label = label };
	struct hpt_range span = HPT_RANGE_EMPTY;

	for (size_t i = 0; i < n; i++) {
		hpt_range_add(&span, (double)ridges[i].dist->min);
		hpt_range_add(&span, (double)ridges[i].dist->p9999);
	}
	hpt_range_fit(&span, &axis);
	return axis;
}

/* The fullest part of a strip has its full height, so that shapes can be compared, but not areas. */
static void draw_shape(const struct hpt_panel *p, double base, const struct hpt_ridge *r)
{
	double shares[PARTS], x[2 * PARTS + 2], y[2 * PARTS + 2], fullest = 0;
	size_t n = 0;

	hpt_plot_shares(&p->x, r->ps, r->n, shares, PARTS);
	for (size_t i = 0; i < PARTS; i++)
		fullest = fmax(fullest, shares[i]);
	if (fullest <= 0)
		return;
	x[n] = p->left;
	y[n++] = base;
	for (size_t i = 0; i < PARTS; i++) {
		x[n] = p->left + p->width * (double)i / PARTS;
		y[n++] = base - RIDGE_HEIGHT * shares[i] / fullest;
		x[n] = p->left + p->width * (double)(i + 1) / PARTS;
		y[n] = y[n - 1];
		n++;
	}
	x[n] = p->left + p->width;
	y[n++] = base;
	hpt_svg_area(p->svg, x, y, n, r->series, r->name);
}

static void draw_marks(const struct hpt_panel *p, double base, const struct hpt_ridge *r)
{
	double median = hpt_panel_x(p, (double)r->dist->median), p99 = hpt_panel_x(p, (double)r->dist->p99);
	double p9999 = hpt_panel_x(p, (double)r->dist->p9999);
	char classes[24];

	snprintf(classes, sizeof(classes), "mark s%u", r->series % HPT_SVG_SERIES);
	hpt_svg_line(p->svg, median, base, p9999, base, classes);
	hpt_svg_line(p->svg, p99, base - 5, p99, base + 5, classes);
	hpt_svg_marker(p->svg, median, base, r->series, "median");
	hpt_svg_line(p->svg, p9999, base - 3, p9999, base + 3, classes);
}

static void draw_numbers(struct hpt_svg *svg, double base, const struct hpt_ridge *r)
{
	const int64_t values[] = { r->dist->median, r->dist->p99, r->dist->p9999 };

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		hpt_svg_text(svg, FIRST_NUMBER + NUMBERS_APART * (double)i, base - 4,
			     i ? "soft end num" : "end num", "%s", hpt_svg_time((double)values[i]).s);
}

static void draw_strip(const struct hpt_panel *p, double base, const struct hpt_ridge *r)
{
	hpt_svg_text(p->svg, NAMES_RIGHT, base - 4, "end", "%s", r->name);
	hpt_svg_line(p->svg, p->left, base, p->left + p->width, base, "grid");
	if (!r->n)
		return;
	draw_shape(p, base, r);
	draw_marks(p, base, r);
	draw_numbers(p->svg, base, r);
}

static void note_outside(const struct hpt_panel *p, double y, const struct hpt_ridge *ridges, size_t n)
{
	size_t below = 0, above = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		below += hpt_plot_below(&p->x, ridges[i].ps, ridges[i].n);
		above += hpt_plot_above(&p->x, ridges[i].ps, ridges[i].n);
		all += ridges[i].n;
	}
	hpt_plot_note_below(p->svg, p->left, y, below, all, &p->x);
	if (above)
		hpt_svg_text(p->svg, p->left, y + (below ? 15 : 0), "soft",
			     "%zu of %zu lie beyond the right end.", above, all);
}

void hpt_plot_ridges(struct hpt_svg *svg, double top, struct hpt_ridge *ridges, size_t n, const char *label)
{
	static const char *const heads[] = { "median", "99 %", "99.99 %" };
	struct hpt_panel p = { .svg = svg, .left = STRIPS_LEFT, .top = top + HEADS_HEIGHT, .width = STRIPS_WIDTH,
			       .height = STRIP_HEIGHT * (double)n, .hides_y = true };

	qsort(ridges, n, sizeof(ridges[0]), by_median);
	p.x = axis_of(ridges, n, label);
	p.y = (struct hpt_axis){ .from = 0, .to = 1 };
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		hpt_svg_text(svg, FIRST_NUMBER + NUMBERS_APART * (double)i, top + 14, "soft end", "%s", heads[i]);
	hpt_panel_frame_x(&p);
	for (size_t i = 0; i < n; i++)
		draw_strip(&p, p.top + STRIP_HEIGHT * (double)(i + 1), &ridges[i]);
	note_outside(&p, p.top + p.height + 52, ridges, n);
}
