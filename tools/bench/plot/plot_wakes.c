// SPDX-License-Identifier: MIT
/* Draws the latencies of wakes and the lateness of tickers: tools/bench/plot/plot_wakes.h. */
#include "bench/plot/plot_wakes.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plot/axes.h"
#include "bench/plot/parts.h"
#include "bench/plot/svg.h"
#include "bench/wakes_run.h"
#include "stats.h"
#include "util.h"

#define HEAD_HEIGHT    66.0
#define PHASES_TOP     78.0     /* from the top of this section */
#define PHASES_LEFT    70.0
#define PHASE_WIDTH    188.0
#define PHASE_APART    38.0
#define PHASE_HEIGHT   250.0
#define PHASES_HEIGHT  404.0
#define KEEPERS_TOP    66.0
#define KEEPER_HEIGHT  130.0
#define KEEPER_APART   44.0
#define TIME_WIDTH     640.0
#define SHARES_LEFT    734.0
#define SHARES_WIDTH   202.0
#define SHARES_PARTS   65       /* 2 units each */
#define FOOT_HEIGHT    66.0
#define WAYS_MAX       HPT_SVG_SERIES

static size_t rounds_of(const struct hpt_wakes_phase *phase)
{
	return atomic_load_explicit(&phase->rounds_done, memory_order_acquire);
}

static size_t ticks_of(const struct hpt_wakes_keeper *keeper)
{
	return atomic_load_explicit(&keeper->done, memory_order_acquire);
}

/* ---- Being woken ------------------------------------------------------------------------------------------------ */

/* The names of all ways: each has the same colour in all phases. */
struct ways { const char *names[WAYS_MAX]; size_t n; };

static unsigned find_way(const struct ways *ways, const char *name)
{
	unsigned i = 0;

	while (i < ways->n && strcmp(ways->names[i], name) != 0)
		i++;
	return i;
}

static void gather_ways(const struct hpt_wakes *s, struct ways *ret)
{
	ret->n = 0;
	for (unsigned i = 0; i < s->n_phases; i++)
		for (unsigned k = 0; k < s->phases[i].n_ways; k++) {
			const char *name = s->phases[i].ways[k].name;

			if (find_way(ret, name) == ret->n && ret->n < WAYS_MAX)
				ret->names[ret->n++] = name;
		}
}

/*
 * Draws all samples in order, each at the share of samples that it exceeds: i of n are below sorted[i]. So the greatest
 * is drawn at 1 - 1/n, not at 100 %, which is unknown.
 */
static void draw_percentiles(const struct hpt_panel *p, const int64_t *ps, size_t n, unsigned series, const char *name)
{
	int64_t *sorted = hpt_calloc(n + 1, sizeof(sorted[0]));
	double *x = hpt_calloc(n + 1, sizeof(x[0])), *y = hpt_calloc(n + 1, sizeof(y[0]));
	size_t points = 0;

	memcpy(sorted, ps, n * sizeof(ps[0]));
	hpt_stats_sort(sorted, n);
	for (size_t i = 0; i < n; i++) {
		double at = (double)n / (double)(n - i);

		/* Points less than half a unit apart look the same, and would make the file large. */
		if (points && hpt_panel_x(p, at) < hpt_panel_x(p, x[points - 1]) + 0.5 && i + 1 < n)
			continue;
		x[points] = at;
		y[points++] = (double)sorted[i];
	}
	hpt_panel_line(p, x, y, points, series, "", name);
	if (points)
		hpt_svg_marker(p->svg, hpt_panel_x(p, x[points - 1]), hpt_panel_y(p, y[points - 1]), series, name);
	free(sorted);
	free(x);
	free(y);
}

static struct hpt_axis latency_axis(const struct hpt_wakes *s)
{
	struct hpt_axis axis = { .unit = HPT_AXIS_TIME, .is_log = true };
	struct hpt_range span = HPT_RANGE_EMPTY;

	for (unsigned i = 0; i < s->n_phases; i++)
		for (unsigned k = 0; rounds_of(&s->phases[i]) && k < s->phases[i].n_ways; k++) {
			hpt_range_add(&span, (double)s->phases[i].ways[k].latency.min);
			hpt_range_add(&span, (double)s->phases[i].ways[k].latency.max);
		}
	hpt_range_fit(&span, &axis);
	return axis;
}

static struct hpt_axis tail_axis(const struct hpt_wakes *s)
{
	double most = 100;

	for (unsigned i = 0; i < s->n_phases; i++)
		most = fmax(most, (double)rounds_of(&s->phases[i]));
	return (struct hpt_axis){ .unit = HPT_AXIS_TAIL, .is_log = true, .from = 1, .to = most,
				  .label = "share that is woken sooner" };
}

static size_t plot_phase(const struct hpt_panel *p, const struct hpt_wakes_phase *phase, const struct ways *ways)
{
	size_t n = rounds_of(phase), below = 0;

	hpt_panel_frame(p);
	for (unsigned k = 0; k < phase->n_ways; k++) {
		const struct hpt_wakes_candidate *way = &phase->ways[k];

		draw_percentiles(p, way->latency_ps, n, find_way(ways, way->name), way->name);
		below += hpt_plot_below(&p->y, way->latency_ps, n);
	}
	if (!n)
		hpt_svg_text(p->svg, p->left + p->width / 2, p->top + p->height / 2, "soft mid", "not measured");
	return below;
}

static void plot_phases(const struct hpt_wakes *s, struct hpt_svg *svg, double top)
{
	struct hpt_panel p = { .svg = svg, .width = PHASE_WIDTH, .height = PHASE_HEIGHT, .top = top + PHASES_TOP,
			       .x = tail_axis(s), .y = latency_axis(s) };
	size_t below = 0, all = 0;
	struct ways ways;

	gather_ways(s, &ways);
	hpt_svg_text(svg, 20, top + 14, "head", "From the waker's call to the sleeper's return");
	hpt_svg_legend(svg, 20, top + 36, ways.names, ways.n);
	for (unsigned i = 0; i < s->n_phases; i++) {
		p.left = PHASES_LEFT + (PHASE_WIDTH + PHASE_APART) * i;
		p.title = s->phases[i].name;
		p.hides_y = i > 0;
		below += plot_phase(&p, &s->phases[i], &ways);
		all += rounds_of(&s->phases[i]) * s->phases[i].n_ways;
	}
	hpt_plot_note_below(svg, PHASES_LEFT, p.top + PHASE_HEIGHT + 54, below, all, &p.y);
}

/* ---- Keeping a period ------------------------------------------------------------------------------------------- */

static struct hpt_trace trace_of(const struct hpt_wakes *s, unsigned i)
{
	const struct hpt_wakes_keeper *keeper = &s->keepers[i];
	size_t n = ticks_of(keeper);
	/* Missed ticks took time, too. */
	int64_t every_ns = n && keeper->wall_ns > 0 ? keeper->wall_ns / (int64_t)n : s->plan.period_ns;

	return (struct hpt_trace){ .name = keeper->name, .series = i, .ps = keeper->late_ps, .each = 1, .n_times = n,
				    .every_ns = every_ns };
}

static struct hpt_axis lateness_axis(const struct hpt_wakes *s)
{
	struct hpt_axis axis = { .unit = HPT_AXIS_TIME, .is_log = true };
	struct hpt_range span = HPT_RANGE_EMPTY;

	for (unsigned i = 0; i < s->n_keepers; i++)
		if (ticks_of(&s->keepers[i])) {
			hpt_range_add(&span, (double)s->keepers[i].late.min);
			hpt_range_add(&span, (double)s->keepers[i].late.max);
		}
	hpt_range_fit(&span, &axis);
	return axis;
}

static struct hpt_axis run_axis(const struct hpt_wakes *s)
{
	struct hpt_axis axis = { .unit = HPT_AXIS_TIME, .label = "time since the first tick" };
	double end = 0;

	for (unsigned i = 0; i < s->n_keepers; i++) {
		struct hpt_trace series = trace_of(s, i);

		end = fmax(end, (double)hpt_trace_end_ns(&series));
	}
	hpt_axis_fit(&axis, 0, end * 1000);
	return axis;
}

/* Next to the panel over time, with the same vertical axis. */
static void draw_shares(const struct hpt_panel *over_time, const struct hpt_trace *s, double widest)
{
	double shares[SHARES_PARTS], x[2 * SHARES_PARTS + 2], y[2 * SHARES_PARTS + 2];
	double foot = over_time->top + over_time->height;
	size_t n = 0;

	hpt_plot_shares(&over_time->y, s->ps, s->n_times, shares, SHARES_PARTS);
	x[n] = SHARES_LEFT;
	y[n++] = foot;
	for (size_t i = 0; i < SHARES_PARTS; i++) {
		for (size_t side = 0; side < 2; side++) {
			x[n] = SHARES_LEFT + SHARES_WIDTH * shares[i] / widest;
			y[n++] = foot - over_time->height * (double)(i + side) / SHARES_PARTS;
		}
	}
	x[n] = SHARES_LEFT;
	y[n++] = over_time->top;
	hpt_svg_line(over_time->svg, SHARES_LEFT, over_time->top, SHARES_LEFT, foot, "axis");
	hpt_svg_area(over_time->svg, x, y, n, s->series, s->name);
}

static double widest_share(const struct hpt_axis *axis, const struct hpt_trace *s)
{
	double shares[SHARES_PARTS], widest = 0;

	hpt_plot_shares(axis, s->ps, s->n_times, shares, SHARES_PARTS);
	for (size_t i = 0; i < SHARES_PARTS; i++)
		widest = fmax(widest, shares[i]);
	return widest;
}

static void plot_keeper(const struct hpt_panel *p, const struct hpt_trace *s, const struct hpt_stats *late)
{
	double widest = widest_share(&p->y, s);

	hpt_panel_frame(p);
	if (!s->n_times) {
		hpt_svg_text(p->svg, p->left + p->width / 2, p->top + p->height / 2, "soft mid", "not measured");
		return;
	}
	hpt_plot_over_time(p, s);
	hpt_svg_text(p->svg, p->left + p->width, p->top - 10, "soft end num", "median %s, 99 %% %s, highest %s",
		     hpt_svg_time((double)late->median).s, hpt_svg_time((double)late->p99).s,
		     hpt_svg_time((double)late->max).s);
	if (widest > 0)
		draw_shares(p, s, widest);
}

static double keepers_height(const struct hpt_wakes *s)
{
	double panels = (KEEPER_HEIGHT + KEEPER_APART) * s->n_keepers - KEEPER_APART;

	return s->n_keepers ? KEEPERS_TOP + panels + FOOT_HEIGHT : 0;
}

static void plot_keepers(const struct hpt_wakes *s, struct hpt_svg *svg, double top)
{
	struct hpt_panel p = { .svg = svg, .left = PHASES_LEFT, .width = TIME_WIDTH, .height = KEEPER_HEIGHT,
			       .x = run_axis(s), .y = lateness_axis(s) };
	size_t below = 0, all = 0;

	hpt_svg_text(svg, 20, top, "head", "How late each tick of a period of %s is",
		     hpt_svg_time((double)s->plan.period_ns * 1000).s);
	hpt_svg_text(svg, 20, top + 18, "soft",
		     "line: median; band: least to 90 %%; points: the highest of each stretch of time. "
		     "Right: the distribution of the lateness.");
	for (unsigned i = 0; i < s->n_keepers; i++) {
		struct hpt_trace series = trace_of(s, i);

		p.title = series.name;
		p.top = top + KEEPERS_TOP + (KEEPER_HEIGHT + KEEPER_APART) * i;
		p.hides_x = i + 1 < s->n_keepers;
		plot_keeper(&p, &series, &s->keepers[i].late);
		below += hpt_plot_below(&p.y, series.ps, series.n_times);
		all += series.n_times;
	}
	hpt_plot_note_below(svg, PHASES_LEFT, p.top + KEEPER_HEIGHT + 52, below, all, &p.y);
}

void hpt_plot_wakes(const void *wakes, FILE *to)
{
	const struct hpt_wakes *s = wakes;
	double keepers_top = HEAD_HEIGHT + (s->n_phases ? PHASES_HEIGHT : 0) + 18;
	struct hpt_svg svg = { .to = to, .width = HPT_PLOT_WIDTH, .height = keepers_top + keepers_height(s) };
	char subtitle[96];

	if (s->sleeper_cpu >= 0)
		snprintf(subtitle, sizeof(subtitle), "woken on CPU %d, from CPU %d", s->sleeper_cpu, s->cpu);
	else
		snprintf(subtitle, sizeof(subtitle), "CPU %d", s->cpu);
	hpt_svg_begin(&svg, "Being woken, and keeping a period", subtitle);
	if (s->n_phases)
		plot_phases(s, &svg, HEAD_HEIGHT);
	if (s->n_keepers)
		plot_keepers(s, &svg, keepers_top);
	hpt_svg_end(&svg);
}
