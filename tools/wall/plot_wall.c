// SPDX-License-Identifier: MIT
/*
 * Draws a wall over time: tools/wall/plot_wall.h. Looks are gathered in stretches of time, whose number is
 * limited, so that the file stays small.
 */
#include "wall/plot_wall.h"

#include <math.h>
#include <stdlib.h>

#include "cli/amount.h"
#include "math/units.h"
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
static void add_look(struct stretches *st, const struct plot_wall_point *p)
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

static size_t stretch_of(const struct axis *x, int64_t at_ns, size_t stretches)
{
	return (size_t)fmin(axis_at(x, ps(at_ns)) * (double)stretches, (double)stretches - 1);
}

static struct stretches *gather(const struct plot_wall *wall, const struct axis *x, size_t stretches)
{
	struct stretches *st = xcalloc(1, sizeof(*st));
	size_t own = SIZE_MAX;

	for (size_t i = 0; i < wall->n; i++) {
		const struct plot_wall_point *p = &wall->points[i];

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
static void draw_gaps(const struct panel *p, const struct stretches *st)
{
	double foot = p->top + p->height;

	for (size_t i = 0; i < st->n; i++)
		if (st->has_gap[i])
			svg_line(p->svg, panel_x(p, st->at[i]), foot - 8, panel_x(p, st->at[i]), foot,
				     "mark other");
}

/* A stretch that stands alone between gaps has neither line nor area. */
static void draw_spots(const struct panel *p, const struct stretches *st, const double *y)
{
	for (size_t i = 0; i < st->n; i++) {
		bool has_neighbour = (i > 0 && isfinite(y[i - 1])) || (i + 1 < st->n && isfinite(y[i + 1]));

		if (isfinite(y[i]) && !has_neighbour)
			svg_put(p->svg, SVG_POINT, panel_x(p, st->at[i]), panel_y(p, y[i]), true, NULL);
	}
}

static void put_foot(struct panel *p, const struct stretches *st)
{
	draw_gaps(p, st);
	p->svg->y = p->top + p->height + (p->hides_x ? APART : FOOT_HEIGHT);
}

static void draw_width(struct panel *p, const struct stretches *st)
{
	const struct panel_points at = { st->at, st->n, true };
	struct range span = RANGE_EMPTY;

	for (size_t i = 0; i < st->n; i++) {
		range_add(&span, st->narrowest[i]);
		range_add(&span, st->widest[i]);
	}
	p->y = (struct axis){ .unit = AXIS_TIME, .is_log = true };
	range_fit(&span, &p->y);
	svg_head(p->svg, "Width of the interval that contains UTC");
	p->top = p->svg->y + HEAD_HEIGHT;
	p->hides_x = true;
	panel_frame(p);
	panel_band(p, &at, st->narrowest, st->widest, "least to greatest width");
	panel_line(p, &at, st->widest, "greatest width");
	draw_spots(p, st, st->widest);
	put_foot(p, st);
}

/* The axis has 0. */
static struct axis ahead_axis(const struct stretches *st)
{
	struct axis axis = { .unit = AXIS_TIME };
	double low = 0, high = 0;

	for (size_t i = 0; i < st->n; i++) {
		low = fmin(low, st->ahead_min[i]);
		high = fmax(high, st->ahead_max[i]);
	}
	axis_fit(&axis, low, high > low ? high : PLOT_LEAST_PS);
	return axis;
}

static void draw_ahead(struct panel *p, const struct stretches *st)
{
	const struct panel_points at = { st->at, st->n, true };
	double zero;

	p->y = ahead_axis(st);
	svg_head(p->svg, "By how much CLOCK_REALTIME is ahead of UTC");
	p->top = p->svg->y + HEAD_HEIGHT;
	p->hides_x = false;
	panel_frame(p);
	zero = panel_y(p, 0);
	svg_line(p->svg, p->left, zero, p->left + p->width, zero, "rule");
	panel_band(p, &at, st->ahead_min, st->ahead_max, "least to most");
	panel_line(p, &at, st->ahead_min, "at least");
	panel_line(p, &at, st->ahead_max, "at most");
	draw_spots(p, st, st->ahead_max);
	put_foot(p, st);
}

static void put_keys(struct svg *svg, const struct stretches *st)
{
	svg_key(svg, SVG_LINE, true, "greatest width, and the bounds of the difference");
	svg_key(svg, SVG_RANGE, true, "what is between");
	if (st->gaps)
		svg_key(svg, SVG_STROKE, false, "no bound");
	svg_key_end(svg);
}

static void draw(const struct plot_wall *wall, struct svg *svg)
{
	double left = svg->is_narrow ? LEFT_NARROW : LEFT_WIDE;
	struct panel p = { .svg = svg, .left = left, .width = svg->width - left - SVG_MARGIN, .height = HEIGHT,
			       .x = { .unit = AXIS_TIME, .label = "time since the wall was opened" } };
	struct stretches *st;

	axis_fit(&p.x, 0, wall->n ? ps(wall->points[wall->n - 1].at_ns) : 0);
	st = gather(wall, &p.x, svg->is_narrow ? STRETCHES_NARROW : STRETCHES_WIDE);
	put_keys(svg, st);
	if (st->gaps)
		svg_note(svg, "%s of %s looks had no bound.", amount_count(st->gaps).s,
			     amount_count(wall->n).s);
	svg->y += APART;
	draw_width(&p, st);
	draw_ahead(&p, st);
	free(st);
}

void plot_wall(const struct plot_wall *wall, enum plot_form form, FILE *to)
{
	struct svg svg;

	svg_begin(&svg, form, to, "Bounded wall time", wall->subtitle);
	draw(wall, &svg);
	svg_end(&svg);
}
