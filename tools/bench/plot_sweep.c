// SPDX-License-Identifier: MIT
/* Draws the misses and the CPU time of a sweep, a panel for each way to sleep: tools/bench/plot_sweep.h. */
#include "bench/plot_sweep.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/candidates_sleep.h"
#include "bench/sweep.h"
#include "cli/amount.h"
#include "cli/stopwatch.h"
#include "cli/util.h"
#include "math/units.h"
#include "plot/axes.h"
#include "plot/parts.h"
#include "plot/svg.h"
#include "plot/traces.h"

/* A grid of panels. */
struct layout {
	unsigned columns;
	double left, width, apart;      /* of a panel */
	double height;
};

static const struct layout wide = { 3, 72, 268, 30, 150 };
static const struct layout narrow = { 2, 58, 136, 16, 116 };

#define LINE_HEIGHT  17.0
#define PANEL_FOOT   14.0
#define FOOT_HEIGHT  46.0
#define FIGURE_APART 18.0

#define ALL_PPM   1000000.0

/* The least share that is drawn: 0.001 %, an hour in a decade of years. */
#define LEAST_PPM 10.0

/* A quantity of each length, in the unit of its axis, and the range of its samples; false: it was not measured. */
struct spot {
	double middle, low, high;
};

typedef bool spot_fn(const struct sweep_stats *f, struct spot *ret);

static bool miss_of(const struct sweep_stats *f, struct spot *ret)
{
	*ret = (struct spot){ (double)f->miss.median, (double)f->miss.min, (double)f->miss.max };
	return f->sleeps > 0;
}

static bool share_of(const struct sweep_stats *f, struct spot *ret)
{
	*ret = (struct spot){ (double)f->cpu_ppm, NAN, NAN };
	return f->sleeps > 0;
}

/* ---- Axes ------------------------------------------------------------------------------------------------------- */

static struct axis length_axis(const struct sweep *s)
{
	struct axis axis = { .unit = AXIS_TIME, .is_log = true };
	struct range span = RANGE_EMPTY;

	for (unsigned i = 0; i < s->n_lengths; i++)
		range_add(&span, (double)s->lengths_ns[i] * PS_PER_NS);
	range_fit(&span, &axis);
	/* Ends near the dots: panels are small. */
	if (span.high > span.low * 10) {
		axis.from = fmax(axis.from, span.low / 1.3);
		axis.to = fmin(axis.to, span.high * 1.3);
	}
	return axis;
}

static struct axis miss_axis(const struct sweep *s)
{
	struct axis axis = { .unit = AXIS_TIME, .is_log = true };
	struct range span = RANGE_EMPTY;

	for (unsigned way = 0; way < s->n_ways; way++)
		for (unsigned i = 0; i < s->n_lengths; i++)
			if (s->lengths[way][i].sleeps) {
				range_add(&span, (double)s->lengths[way][i].miss.min);
				range_add(&span, (double)s->lengths[way][i].miss.max);
			}
	range_fit(&span, &axis);
	return axis;
}

static struct axis cpu_axis(const struct sweep *s)
{
	struct axis axis = { .unit = AXIS_SHARE, .is_log = true };
	double least = ALL_PPM;

	for (unsigned way = 0; way < s->n_ways; way++)
		for (unsigned i = 0; i < s->n_lengths; i++)
			if (s->lengths[way][i].sleeps)
				least = fmin(least, (double)s->lengths[way][i].cpu_ppm);
	axis_fit(&axis, fmax(least, LEAST_PPM), ALL_PPM);
	return axis;
}

/* ---- Panels ----------------------------------------------------------------------------------------------------- */

static void draw_spot(const struct panel *p, unsigned way, double length_ps, const struct spot *spot)
{
	bool is_ours = sleep_candidates[way].is_ours;
	double x = panel_x(p, length_ps);
	char tip[160];

	if (isfinite(spot->low) && spot->high > spot->low)
		svg_line(p->svg, x, panel_y(p, spot->low), x, panel_y(p, spot->high),
			     is_ours ? "mark ours" : "mark other");
	snprintf(tip, sizeof(tip), "%s, %s: %s", sleep_candidates[way].name, amount_length(length_ps).s,
		 p->y.unit == AXIS_SHARE ? amount_share(spot->middle).s : amount_time(spot->middle).s);
	svg_put(p->svg, SVG_SPOT, x, panel_y(p, spot->middle), is_ours, tip);
}

static size_t draw_spots(const struct panel *p, const struct sweep *s, unsigned way, spot_fn *spot_of)
{
	size_t below = 0;

	for (unsigned i = 0; i < s->n_lengths; i++) {
		struct spot spot;

		if (!spot_of(&s->lengths[way][i], &spot))
			continue;
		draw_spot(p, way, (double)s->lengths_ns[i] * PS_PER_NS, &spot);
		below += spot.middle < p->y.from;
	}
	return below;
}

/* A long name takes two lines in a narrow panel. */
static void put_title(const struct panel *p, unsigned way, double y)
{
	const char *name = sleep_candidates[way].name, *space = strchr(name, ' ');
	const char *style = sleep_candidates[way].is_ours ? "ours" : "";

	if (!space || svg_text_width(name) <= p->width) {
		svg_text(p->svg, p->left, y, style, "%s", name);
		return;
	}
	svg_text(p->svg, p->left, y - LINE_HEIGHT, style, "%.*s", (int)(space - name), name);
	svg_text(p->svg, p->left, y, style, "%s", space + 1);
}

/* The median of hpt_sleep_until_ticks, as a line to compare the others with. */
static void draw_reference(const struct panel *p, const struct sweep *s)
{
	double median = (double)s->bands[CANDIDATE_UNTIL][BAND_ALL].miss.median;

	if (median > 0)
		svg_line(p->svg, p->left, panel_y(p, median), p->left + p->width, panel_y(p, median),
			     "mark ours thin");
}

static void draw_jiffy(const struct panel *p, const struct sweep *s)
{
	double tick_ps = (double)s->jiffy_ns * PS_PER_NS, x = panel_x(p, tick_ps);

	if (tick_ps >= p->x.from && tick_ps <= p->x.to)
		svg_line(p->svg, x, p->top, x, p->top + p->height, "rule");
}

static size_t count_values(const struct sweep *s)
{
	size_t n = 0;

	for (unsigned way = 0; way < s->n_ways; way++)
		for (unsigned i = 0; i < s->n_lengths; i++)
			n += s->lengths[way][i].sleeps > 0;
	return n;
}

static unsigned count_ways(const struct sweep *s)
{
	unsigned n = 0;

	for (unsigned way = 0; way < s->n_ways; way++)
		n += sweep_has(s, way);
	return n;
}

/* Draws all panels from svg->y on. */
static void plot_grid(const struct sweep *s, struct svg *svg, const struct axis *y, spot_fn *spot_of)
{
	const struct layout *at = svg->is_narrow ? &narrow : &wide;
	struct panel p = { .svg = svg, .width = at->width, .height = at->height, .x = length_axis(s), .y = *y };
	double title = svg->is_narrow ? 2 * LINE_HEIGHT : LINE_HEIGHT, top = svg->y;
	unsigned n = count_ways(s);
	size_t below = 0;

	for (unsigned way = 0, i = 0; way < s->n_ways; way++) {
		unsigned column = i % at->columns, row = i / at->columns;

		if (!sweep_has(s, way))
			continue;

		p.left = at->left + (at->width + at->apart) * column;
		p.top = top + title + 8 + (title + 8 + at->height + PANEL_FOOT) * row;
		p.hides_x = i++ + at->columns < n;
		p.hides_y = column > 0;
		panel_frame(&p);
		draw_jiffy(&p, s);
		if (spot_of == miss_of)
			draw_reference(&p, s);
		below += draw_spots(&p, s, way, spot_of);
		put_title(&p, way, p.top - 8);
		svg->y = p.top + p.height + FOOT_HEIGHT - 16;
	}
	svg_text(svg, svg->width / 2, svg->y + 8, "soft mid", "length of the sleep");
	svg->y += 18;
	plot_note_below(svg, below, count_values(s), y);
}

static void plot_miss(const struct sweep *s, struct svg *svg, uint32_t rounds)
{
	struct axis axis = miss_axis(s);

	svg_head(svg, "Miss: how late a sleep ends");
	if (rounds == 1) {
		svg_key(svg, SVG_DOT, true, "the one sleep of each length");
	} else {
		svg_key(svg, SVG_DOT, true, "median");
		svg_key(svg, SVG_STROKE, true, "from the least to the greatest");
	}
	svg_key(svg, SVG_LINE, true, "median of hpt_sleep_until_ticks, all lengths");
	svg_key_end(svg);
	svg_note(svg, "Dotted: 1/HZ, here %s. All panels have the same axes.",
		     amount_length((double)s->jiffy_ns * PS_PER_NS).s);
	plot_grid(s, svg, &axis, miss_of);
}

static void plot_cpu(const struct sweep *s, struct svg *svg)
{
	struct axis axis = cpu_axis(s);

	svg->y += FIGURE_APART;
	svg_head(svg, "CPU time, of the time slept");
	plot_grid(s, svg, &axis, share_of);
}

/* ---- Sleep by sleep --------------------------------------------------------------------------------------------- */

/* The misses in the order of the sleeps. free() them. */
static int64_t *misses_of(const struct sweep *s, unsigned way, size_t *ret_n)
{
	uint32_t rounds = sweep_rounds(s, 0);
	int64_t *ps = xcalloc((size_t)rounds * s->n_lengths + 1, sizeof(ps[0]));
	size_t n = 0;

	for (uint32_t round = 0; round < rounds; round++)
		for (unsigned i = 0; i < s->n_lengths && round < sweep_rounds(s, i); i++) {
			const struct sleep_times *t = sweep_times(s, way, round, i);

			ps[n++] = stopwatch_to_ps(s->watch.clk, t->after - t->before - s->lengths_ticks[i]);
		}
	*ret_n = n;
	return ps;
}

static void plot_chosen(const struct sweep *s, struct svg *svg)
{
	struct trace traces[CANDIDATES];
	int64_t *ps[CANDIDATES];
	size_t n = s->plan.trace.n;

	for (size_t i = 0; i < n; i++) {
		unsigned way = s->plan.trace.way[i];

		traces[i] = (struct trace){ .name = sleep_candidates[way].name,
					    .is_ours = sleep_candidates[way].is_ours, .each = 1,
					    .is_by_number = true, .dist = &s->bands[way][BAND_ALL].miss };
		traces[i].ps = ps[i] = misses_of(s, way, &traces[i].n_times);
	}
	svg->y += FIGURE_APART;
	svg_head(svg, "Miss, sleep by sleep");
	plot_traces(svg, traces, n, "number of the sleep");
	for (size_t i = 0; i < n; i++)
		free(ps[i]);
}

void plot_sweep(const void *sweep, enum plot_form form, FILE *to)
{
	const struct sweep *s = sweep;
	uint32_t rounds = atomic_load_explicit(&s->rounds_done, memory_order_acquire);
	struct svg svg;
	char subtitle[80];

	snprintf(subtitle, sizeof(subtitle), "CPU %d, %u sleep%s of each length and way", s->cpu, rounds,
		 rounds == 1 ? "" : "s");
	svg_begin(&svg, form, to, "Sleeping: how late, and at what cost", subtitle);
	plot_miss(s, &svg, rounds);
	plot_cpu(s, &svg);
	if (s->plan.trace.n)
		plot_chosen(s, &svg);
	svg_end(&svg);
}
