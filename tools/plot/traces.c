// SPDX-License-Identifier: MIT
/* Draws samples over time, and their distributions: tools/plot/traces.h. */
#include "plot/traces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/amount.h"
#include "math/units.h"
#include "cli/util.h"
#include "plot/axes.h"
#include "plot/parts.h"
#include "plot/svg.h"

/* Some 4 units each. */
#define STRETCHES_WIDE   160
#define STRETCHES_NARROW 48

#define PARTS 65        /* of a distribution: 2 units each */

struct layout {
	double left, width;             /* over time */
	double shares_left, shares_width;
	double height;
	size_t stretches;
};

static const struct layout wide = { 72, 640, 736, 206, PARTS * 2, STRETCHES_WIDE };
static const struct layout narrow = { 58, 204, 274, 72, PARTS * 2, STRETCHES_NARROW };

/* A panel's title, on a narrow screen with its numbers in a line of their own. */
#define TITLE_HEIGHT  24.0
#define NUMBER_HEIGHT 17.0
#define APART         12.0
#define FOOT_HEIGHT   46.0

/* In the unit of the axis: ps, or the number of the sample. */
static double at(const struct trace *s, size_t time)
{
	if (s->is_by_number)
		return (double)time * (double)s->each;
	return (double)(s->at_ns ? s->at_ns[time] : (int64_t)time * s->every_ns) * PS_PER_NS;
}

static size_t samples_of(const struct trace *s)
{
	return s->n_times * s->each;
}

/* ---- Over time -------------------------------------------------------------------------------------------------- */

struct stretches {
	double at[STRETCHES_WIDE], low[STRETCHES_WIDE], median[STRETCHES_WIDE], high[STRETCHES_WIDE];
	double max[STRETCHES_WIDE];
	size_t n;
};

static void add_stretch(struct stretches *ret, double at_ps, const int64_t *ps, size_t n, int64_t *scratch)
{
	memcpy(scratch, ps, n * sizeof(ps[0]));
	stats_sort(scratch, n);
	ret->at[ret->n] = at_ps;
	ret->low[ret->n] = (double)scratch[0];
	ret->median[ret->n] = (double)stats_median(scratch, n);
	ret->high[ret->n] = (double)stats_quantile(scratch, n, 0.9);
	ret->max[ret->n] = (double)scratch[n - 1];
	ret->n++;
}

static size_t stretch_of(const struct trace *s, const struct axis *x, size_t time, size_t stretches)
{
	return (size_t)fmin(axis_at(x, at(s, time)) * (double)stretches, (double)stretches - 1);
}

static void gather(const struct trace *s, const struct axis *x, size_t stretches, struct stretches *ret)
{
	int64_t *scratch = xcalloc(samples_of(s) + 1, sizeof(scratch[0]));

	for (size_t from = 0, to; from < s->n_times && ret->n < stretches; from = to) {
		size_t own = stretch_of(s, x, from, stretches);

		for (to = from + 1; to < s->n_times && stretch_of(s, x, to, stretches) == own;)
			to++;
		add_stretch(ret, (at(s, from) + at(s, to - 1)) / 2,
			    s->ps + from * s->each, (to - from) * s->each, scratch);
	}
	free(scratch);
}

static void draw_over_time(const struct panel *p, const struct trace *s, size_t stretches)
{
	struct stretches *st = xcalloc(1, sizeof(*st));
	struct panel_points points;
	char tip[224];

	gather(s, &p->x, stretches, st);
	points = (struct panel_points){ st->at, st->n, s->is_ours };
	panel_band(p, &points, st->low, st->high, s->name);
	panel_line(p, &points, st->median, s->name);
	for (size_t i = 0; i < st->n; i++) {
		snprintf(tip, sizeof(tip), "%s: up to %s, median %s, at %s", s->name, amount_time(st->max[i]).s,
			 amount_time(st->median[i]).s,
			 s->is_by_number ? amount_count((size_t)st->at[i]).s : amount_time(st->at[i]).s);
		svg_put(p->svg, SVG_POINT, panel_x(p, st->at[i]), panel_y(p, st->max[i]), s->is_ours,
			    tip);
	}
	free(st);
}

/* ---- Distributions ---------------------------------------------------------------------------------------------- */

/* The share of samples in each part of the axis, those below it in the first. Returns the greatest share. */
static double count_shares(const struct axis *axis, const struct trace *s, double shares[PARTS])
{
	size_t n = samples_of(s);
	double most = 0;

	memset(shares, 0, PARTS * sizeof(shares[0]));
	for (size_t i = 0; i < n; i++)
		shares[(size_t)fmin(axis_at(axis, (double)s->ps[i]) * PARTS, PARTS - 1)] += 1 / (double)n;
	for (size_t i = 0; i < PARTS; i++)
		most = fmax(most, shares[i]);
	return most;
}

/* Next to the panel over time, with the same vertical axis. The fullest part has the full width. */
static void draw_shares(const struct panel *p, const struct trace *s, const struct layout *at)
{
	double shares[PARTS], x[2 * PARTS + 2], y[2 * PARTS + 2], foot = p->top + p->height;
	double most = count_shares(&p->y, s, shares);
	size_t n = 0;

	x[n] = at->shares_left;
	y[n++] = foot;
	for (size_t i = 0; i < PARTS; i++) {
		for (size_t side = 0; side < 2; side++) {
			x[n] = at->shares_left + at->shares_width * shares[i] / most;
			y[n++] = foot - p->height * (double)(i + side) / PARTS;
		}
	}
	x[n] = at->shares_left;
	y[n++] = p->top;
	svg_line(p->svg, at->shares_left, p->top, at->shares_left, foot, "axis");
	svg_area(p->svg, x, y, n, s->is_ours, s->name);
}

/* ---- Panels ----------------------------------------------------------------------------------------------------- */

static struct axis value_axis(const struct trace *traces, size_t n)
{
	struct axis axis = { .unit = AXIS_TIME, .is_log = true };
	struct range span = RANGE_EMPTY;

	for (size_t i = 0; i < n; i++)
		if (samples_of(&traces[i])) {
			range_add(&span, (double)traces[i].dist->min);
			range_add(&span, (double)traces[i].dist->max);
		}
	range_fit(&span, &axis);
	return axis;
}

static struct axis time_axis(const struct trace *traces, size_t n, const char *label)
{
	bool is_by_number = n && traces[0].is_by_number;
	struct axis axis = { .unit = is_by_number ? AXIS_COUNT : AXIS_TIME, .label = label };
	double end = 0;

	for (size_t i = 0; i < n; i++)
		if (traces[i].n_times)
			end = fmax(end, at(&traces[i], traces[i].n_times - 1));
	axis_fit(&axis, 0, end);
	return axis;
}

static void put_numbers(const struct panel *p, const struct trace *s, const struct layout *at)
{
	const struct stats *d = s->dist;
	char p99[64] = "";

	if (stats_knows(d->count, 0.99))
		snprintf(p99, sizeof(p99), ", 99 %% %s", amount_time((double)d->p99).s);
	svg_text(p->svg, at->shares_left + at->shares_width, p->top - 8, "soft end num", "median %s%s, highest %s",
		     amount_time((double)d->median).s, p99, amount_time((double)d->max).s);
}

static void draw_panel(struct panel *p, const struct trace *s, const struct layout *at)
{
	bool is_narrow = p->svg->is_narrow;
	double title_y = p->svg->y + 14;

	p->top = p->svg->y + TITLE_HEIGHT + (is_narrow ? NUMBER_HEIGHT : 0);
	svg_text(p->svg, is_narrow ? SVG_MARGIN : p->left, title_y, s->is_ours ? "head ours" : "head", "%s",
		     s->name);
	panel_frame(p);
	if (samples_of(s)) {
		draw_over_time(p, s, at->stretches);
		put_numbers(p, s, at);
		draw_shares(p, s, at);
	} else {
		svg_text(p->svg, p->left + p->width / 2, p->top + p->height / 2, "soft mid", "not measured");
	}
	p->svg->y = p->top + p->height + APART;
}

static size_t count_below(const struct axis *axis, const struct trace *s)
{
	size_t below = 0;

	for (size_t i = 0; i < samples_of(s); i++)
		below += (double)s->ps[i] < axis->from;
	return below;
}

void plot_traces(struct svg *svg, const struct trace *traces, size_t n, const char *label)
{
	const struct layout *at = svg->is_narrow ? &narrow : &wide;
	struct panel p = { .svg = svg, .left = at->left, .width = at->width, .height = at->height,
			       .x = time_axis(traces, n, label), .y = value_axis(traces, n) };
	size_t below = 0, all = 0;

	svg_key(svg, SVG_LINE, true, "median");
	svg_key(svg, SVG_RANGE, true, "least to 90 %");
	svg_key(svg, SVG_POINT, true,
		n && traces[0].is_by_number ? "highest of each stretch" : "highest of each stretch of time");
	svg_key_end(svg);
	svg_note(svg, "At the right: the distribution of all.");
	svg->y += 6;
	for (size_t i = 0; i < n; i++) {
		p.hides_x = i + 1 < n;
		draw_panel(&p, &traces[i], at);
		below += count_below(&p.y, &traces[i]);
		all += samples_of(&traces[i]);
	}
	svg->y += FOOT_HEIGHT - APART;
	plot_note_below(svg, below, all, &p.y);
}
