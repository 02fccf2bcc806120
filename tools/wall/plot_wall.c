// SPDX-License-Identifier: MIT
/*
 * Draws a wall over time: tools/wall/plot_wall.h. Looks are gathered in stretches of time, whose number is
 * limited, so that the file stays small.
 */
#include "wall/plot_wall.h"

#include <math.h>
#include <stdlib.h>

#include "cli/amount.h"
#include "cli/units.h"
#include "cli/util.h"
#include "plot/axes.h"
#include "plot/parts.h"
#include "plot/svg.h"

/* Some 4 units each. */
#define STRETCHES_WIDE   210
#define STRETCHES_NARROW 64

#define LEFT_WIDE   92.0
#define LEFT_NARROW 74.0
#define HEIGHT      190.0
#define HEAD_HEIGHT 12.0
#define FOOT_HEIGHT 46.0
#define APART       14.0

/* Of the looks in each stretch; NAN where none of them had a bound. Times in ps. */
struct stretches {
	double at[STRETCHES_WIDE], narrowest[STRETCHES_WIDE], widest[STRETCHES_WIDE];
	double ahead_min[STRETCHES_WIDE], ahead_max[STRETCHES_WIDE];
	bool has_gap[STRETCHES_WIDE];   /* one of them had no bound */
	size_t n, gaps;                 /* gaps: looks without a bound */
};

static double ps(int64_t ns)
{
	return (double)ns * PS_PER_NS;
}

/* ---- Stretches of time ------------------------------------------------------------------------------------------- */

/* fmin() and fmax() pass over NAN. */
static void add_look(struct stretches *st, const struct hpt_plot_wall_point *p)
{
	size_t i = st->n - 1;

	if (!p->has_bound) {
		st->has_gap[i] = true;
		st->gaps++;
		return;
	}
	st->narrowest[i] = fmin(st->narrowest[i], ps(p->width_ns));
	st->widest[i] = fmax(st->widest[i], ps(p->width_ns));
	st->ahead_min[i] = fmin(st->ahead_min[i], ps(p->ahead_min_ns));
	st->ahead_max[i] = fmax(st->ahead_max[i], ps(p->ahead_max_ns));
}

static void begin_stretch(struct stretches *st, double at)
{
	size_t i = st->n++;

	st->at[i] = at;
	st->narrowest[i] = st->widest[i] = st->ahead_min[i] = st->ahead_max[i] = NAN;
}

static size_t stretch_of(const struct hpt_axis *x, int64_t at_ns, size_t stretches)
{
	return (size_t)fmin(hpt_axis_at(x, ps(at_ns)) * (double)stretches, (double)stretches - 1);
}

static struct stretches *gather(const struct hpt_plot_wall *wall, const struct hpt_axis *x, size_t stretches)
{
	struct stretches *st = hpt_calloc(1, sizeof(*st));
	size_t own = SIZE_MAX;

	for (size_t i = 0; i < wall->n; i++) {
		const struct hpt_plot_wall_point *p = &wall->points[i];

		if (stretch_of(x, p->at_ns, stretches) != own) {
			own = stretch_of(x, p->at_ns, stretches);
			begin_stretch(st, ps(p->at_ns));
		}
		add_look(st, p);
	}
	return st;
}

/* ---- Panels ------------------------------------------------------------------------------------------------------ */

/* Marks at the foot for the stretches with looks that had no bound. */
static void draw_gaps(const struct hpt_panel *p, const struct stretches *st)
{
	double foot = p->top + p->height;

	for (size_t i = 0; i < st->n; i++)
		if (st->has_gap[i])
			hpt_svg_line(p->svg, hpt_panel_x(p, st->at[i]), foot - 8, hpt_panel_x(p, st->at[i]), foot,
				     "mark other");
}

/* A stretch that stands alone between gaps has neither line nor area. */
static void draw_spots(const struct hpt_panel *p, const struct stretches *st, const double *y)
{
	for (size_t i = 0; i < st->n; i++) {
		bool has_neighbour = (i > 0 && isfinite(y[i - 1])) || (i + 1 < st->n && isfinite(y[i + 1]));

		if (isfinite(y[i]) && !has_neighbour)
			hpt_svg_put(p->svg, HPT_SVG_POINT, hpt_panel_x(p, st->at[i]), hpt_panel_y(p, y[i]), true, NULL);
	}
}

static void put_foot(struct hpt_panel *p, const struct stretches *st)
{
	draw_gaps(p, st);
	p->svg->y = p->top + p->height + (p->hides_x ? APART : FOOT_HEIGHT);
}

static void draw_width(struct hpt_panel *p, const struct stretches *st)
{
	struct hpt_range span = HPT_RANGE_EMPTY;

	for (size_t i = 0; i < st->n; i++) {
		hpt_range_add(&span, st->narrowest[i]);
		hpt_range_add(&span, st->widest[i]);
	}
	p->y = (struct hpt_axis){ .unit = HPT_AXIS_TIME, .is_log = true };
	hpt_range_fit(&span, &p->y);
	hpt_svg_head(p->svg, "Width of the interval that contains UTC");
	p->top = p->svg->y + HEAD_HEIGHT;
	p->hides_x = true;
	hpt_panel_frame(p);
	hpt_panel_band(p, st->at, st->narrowest, st->widest, st->n, true, "least to greatest width");
	hpt_panel_line(p, st->at, st->widest, st->n, true, "greatest width");
	draw_spots(p, st, st->widest);
	put_foot(p, st);
}

/* The axis has 0. */
static struct hpt_axis ahead_axis(const struct stretches *st)
{
	struct hpt_axis axis = { .unit = HPT_AXIS_TIME };
	double low = 0, high = 0;

	for (size_t i = 0; i < st->n; i++) {
		low = fmin(low, st->ahead_min[i]);
		high = fmax(high, st->ahead_max[i]);
	}
	hpt_axis_fit(&axis, low, high > low ? high : HPT_PLOT_LEAST_PS);
	return axis;
}

static void draw_ahead(struct hpt_panel *p, const struct stretches *st)
{
	double zero;

	p->y = ahead_axis(st);
	hpt_svg_head(p->svg, "By how much CLOCK_REALTIME is ahead of UTC");
	p->top = p->svg->y + HEAD_HEIGHT;
	p->hides_x = false;
	hpt_panel_frame(p);
	zero = hpt_panel_y(p, 0);
	hpt_svg_line(p->svg, p->left, zero, p->left + p->width, zero, "rule");
	hpt_panel_band(p, st->at, st->ahead_min, st->ahead_max, st->n, true, "least to most");
	hpt_panel_line(p, st->at, st->ahead_min, st->n, true, "at least");
	hpt_panel_line(p, st->at, st->ahead_max, st->n, true, "at most");
	draw_spots(p, st, st->ahead_max);
	put_foot(p, st);
}

static void put_keys(struct hpt_svg *svg, const struct stretches *st)
{
	hpt_svg_key(svg, HPT_SVG_LINE, true, "greatest width, and the bounds of the difference");
	hpt_svg_key(svg, HPT_SVG_RANGE, true, "what is between");
	if (st->gaps)
		hpt_svg_key(svg, HPT_SVG_STROKE, false, "no bound");
	hpt_svg_key_end(svg);
}

static void draw(const struct hpt_plot_wall *wall, struct hpt_svg *svg)
{
	double left = svg->is_narrow ? LEFT_NARROW : LEFT_WIDE;
	struct hpt_panel p = { .svg = svg, .left = left, .width = svg->width - left - HPT_SVG_MARGIN, .height = HEIGHT,
			       .x = { .unit = HPT_AXIS_TIME, .label = "time since the wall was opened" } };
	struct stretches *st;

	hpt_axis_fit(&p.x, 0, wall->n ? ps(wall->points[wall->n - 1].at_ns) : 0);
	st = gather(wall, &p.x, svg->is_narrow ? STRETCHES_NARROW : STRETCHES_WIDE);
	put_keys(svg, st);
	if (st->gaps)
		hpt_svg_note(svg, "%s of %s looks had no bound.", hpt_amount_count(st->gaps).s,
			     hpt_amount_count(wall->n).s);
	svg->y += APART;
	draw_width(&p, st);
	draw_ahead(&p, st);
	free(st);
}

void hpt_plot_wall(const struct hpt_plot_wall *wall, enum hpt_plot_form form, FILE *to)
{
	struct hpt_svg svg;

	hpt_svg_begin(&svg, form, to, "Bounded wall time", wall->subtitle);
	draw(wall, &svg);
	hpt_svg_end(&svg);
}
