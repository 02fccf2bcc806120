// SPDX-License-Identifier: MIT
/* Draws the misses and the CPU time of a sweep: tools/bench/plot/plot_sweep.h. */
#include "bench/plot/plot_sweep.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#include "bench/candidates_sleep.h"
#include "bench/plot/axes.h"
#include "bench/plot/parts.h"
#include "bench/plot/svg.h"
#include "bench/sweep.h"
#include "units.h"

#define PANEL_LEFT   70.0
#define PANEL_WIDTH  690.0
#define MISS_TOP     100.0
#define MISS_HEIGHT  380.0
#define CPU_TOP      590.0
#define CPU_HEIGHT   300.0
#define WHOLE_HEIGHT 958.0

#define ALL_PPM   1000000.0

/* The least share that is drawn: 0.001 %, an hour in a decade of years. */
#define LEAST_PPM 10.0

/* A value of a way at a length; NAN: not measured. */
typedef double value_fn(const struct hpt_sweep_stats *f);

static double median_miss(const struct hpt_sweep_stats *f)
{
	return f->sleeps ? (double)f->miss.median : NAN;
}

static double p99_miss(const struct hpt_sweep_stats *f)
{
	return f->sleeps ? (double)f->miss.p99 : NAN;
}

static double cpu_share(const struct hpt_sweep_stats *f)
{
	return f->sleeps ? (double)f->cpu_ppm : NAN;
}

static void values_of(const struct hpt_sweep *s, unsigned way, value_fn *value, double *x, double *y)
{
	for (unsigned i = 0; i < s->n_lengths; i++) {
		x[i] = (double)s->lengths_ns[i] * PS_PER_NS;
		y[i] = value(&s->lengths[way][i]);
	}
}

static void draw_markers(const struct hpt_panel *p, const double *x, const double *y, unsigned n, unsigned way)
{
	char tip[128];

	for (unsigned i = 0; i < n; i++) {
		if (!isfinite(y[i]))
			continue;
		snprintf(tip, sizeof(tip), "%s, %s: %s", hpt_sleep_candidates[way].name, hpt_svg_time(x[i]).s,
			 p->y.unit == HPT_AXIS_SHARE ? hpt_svg_share(y[i]).s : hpt_svg_time(y[i]).s);
		hpt_svg_marker(p->svg, hpt_panel_x(p, x[i]), hpt_panel_y(p, y[i]), way, tip);
	}
}

/* Finds the longest length that was measured, where the line ends. */
static bool find_end(const double *x, const double *y, unsigned n, unsigned *ret)
{
	bool has = false;

	for (unsigned i = 0; i < n; i++)
		if (isfinite(y[i]) && (!has || x[i] > x[*ret])) {
			*ret = i;
			has = true;
		}
	return has;
}

static void draw_labels(const struct hpt_sweep *s, const struct hpt_panel *p, value_fn *value)
{
	double x[HPT_SWEEP_LENGTHS_MAX], y[HPT_SWEEP_LENGTHS_MAX];
	struct hpt_svg_label labels[HPT_CANDIDATES];
	unsigned end = 0;
	size_t n = 0;

	for (unsigned way = 0; way < s->n_ways; way++) {
		values_of(s, way, value, x, y);
		if (find_end(x, y, s->n_lengths, &end))
			labels[n++] = (struct hpt_svg_label){ .text = hpt_sleep_candidates[way].name,
							      .y = hpt_panel_y(p, y[end]), .series = way };
	}
	hpt_svg_labels(p->svg, p->left + p->width, p->top, p->top + p->height, labels, n);
}

static size_t draw_ways(const struct hpt_sweep *s, const struct hpt_panel *p, value_fn *value, value_fn *thin)
{
	double x[HPT_SWEEP_LENGTHS_MAX], y[HPT_SWEEP_LENGTHS_MAX];
	size_t below = 0;

	for (unsigned way = 0; thin && way < s->n_ways; way++) {
		values_of(s, way, thin, x, y);
		hpt_panel_line(p, x, y, s->n_lengths, way, "thin", hpt_sleep_candidates[way].name);
	}
	for (unsigned way = 0; way < s->n_ways; way++) {
		values_of(s, way, value, x, y);
		hpt_panel_line(p, x, y, s->n_lengths, way, "", hpt_sleep_candidates[way].name);
		draw_markers(p, x, y, s->n_lengths, way);
		for (unsigned i = 0; i < s->n_lengths; i++)
			below += y[i] < p->y.from;
	}
	draw_labels(s, p, value);
	return below;
}

static size_t count_values(const struct hpt_sweep *s)
{
	size_t n = 0;

	for (unsigned way = 0; way < s->n_ways; way++)
		for (unsigned i = 0; i < s->n_lengths; i++)
			n += s->lengths[way][i].sleeps > 0;
	return n;
}

static struct hpt_axis length_axis(const struct hpt_sweep *s)
{
	struct hpt_axis axis = { .unit = HPT_AXIS_TIME, .is_log = true, .label = "length of the sleep" };
	struct hpt_range span = HPT_RANGE_EMPTY;

	for (unsigned i = 0; i < s->n_lengths; i++)
		hpt_range_add(&span, (double)s->lengths_ns[i] * PS_PER_NS);
	hpt_range_fit(&span, &axis);
	/* Ends near the markers, because the names of the lines are placed at their ends. */
	if (span.high > span.low * 10) {
		axis.from = fmax(axis.from, span.low / 1.2);
		axis.to = fmin(axis.to, span.high * 1.2);
	}
	return axis;
}

static struct hpt_axis miss_axis(const struct hpt_sweep *s)
{
	struct hpt_axis axis = { .unit = HPT_AXIS_TIME, .is_log = true };
	struct hpt_range span = HPT_RANGE_EMPTY;

	for (unsigned way = 0; way < s->n_ways; way++)
		for (unsigned i = 0; i < s->n_lengths; i++)
			if (s->lengths[way][i].sleeps) {
				hpt_range_add(&span, (double)s->lengths[way][i].miss.median);
				hpt_range_add(&span, (double)s->lengths[way][i].miss.p99);
			}
	hpt_range_fit(&span, &axis);
	return axis;
}

static struct hpt_axis cpu_axis(const struct hpt_sweep *s)
{
	struct hpt_axis axis = { .unit = HPT_AXIS_SHARE, .is_log = true };
	double least = ALL_PPM;

	for (unsigned way = 0; way < s->n_ways; way++)
		for (unsigned i = 0; i < s->n_lengths; i++)
			if (s->lengths[way][i].sleeps)
				least = fmin(least, (double)s->lengths[way][i].cpu_ppm);
	hpt_axis_fit(&axis, fmax(least, LEAST_PPM), ALL_PPM);
	return axis;
}

static void draw_jiffy(const struct hpt_sweep *s, const struct hpt_panel *p)
{
	double tick_ps = (double)s->jiffy_ns * PS_PER_NS;
	char word[48];

	if (tick_ps < p->x.from || tick_ps > p->x.to)
		return;
	snprintf(word, sizeof(word), "1/HZ: %s", hpt_svg_time(tick_ps).s);
	hpt_panel_rule(p, tick_ps, word);
}

static void plot_miss(const struct hpt_sweep *s, struct hpt_svg *svg)
{
	struct hpt_panel p = { .svg = svg, .left = PANEL_LEFT, .top = MISS_TOP, .width = PANEL_WIDTH,
			       .height = MISS_HEIGHT, .title = "Miss: how late a sleep ends", .x = length_axis(s),
			       .y = miss_axis(s) };
	size_t below;

	hpt_panel_frame(&p);
	hpt_svg_text(svg, PANEL_LEFT, MISS_TOP + MISS_HEIGHT + 35, "soft",
		     "markers: median; dashed: 99 %% (of fewer than 100 sleeps the latest)");
	draw_jiffy(s, &p);
	below = draw_ways(s, &p, median_miss, p99_miss);
	hpt_plot_note_below(svg, PANEL_LEFT, MISS_TOP + MISS_HEIGHT + 54, below, count_values(s), &p.y);
}

static void plot_cpu(const struct hpt_sweep *s, struct hpt_svg *svg)
{
	struct hpt_panel p = { .svg = svg, .left = PANEL_LEFT, .top = CPU_TOP, .width = PANEL_WIDTH,
			       .height = CPU_HEIGHT, .title = "CPU time, of the time slept", .x = length_axis(s),
			       .y = cpu_axis(s) };
	size_t below;

	hpt_panel_frame(&p);
	draw_jiffy(s, &p);
	below = draw_ways(s, &p, cpu_share, NULL);
	hpt_plot_note_below(svg, PANEL_LEFT, CPU_TOP + CPU_HEIGHT + 54, below, count_values(s), &p.y);
}

void hpt_plot_sweep(const void *sweep, FILE *to)
{
	const struct hpt_sweep *s = sweep;
	struct hpt_svg svg = { .to = to, .width = HPT_PLOT_WIDTH, .height = WHOLE_HEIGHT };
	uint32_t rounds = atomic_load_explicit(&s->rounds_done, memory_order_acquire);
	char subtitle[160];

	snprintf(subtitle, sizeof(subtitle), "CPU %d, %u sleep%s of each length and way", s->cpu, rounds,
		 rounds == 1 ? "" : "s");
	hpt_svg_begin(&svg, "Sleeping: how late, and at what cost", subtitle);
	plot_miss(s, &svg);
	plot_cpu(s, &svg);
	hpt_svg_end(&svg);
}
