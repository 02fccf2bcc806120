// SPDX-License-Identifier: MIT
/* Draws the cost and the lateness of ways to sleep: tools/bench/plot_frontier.h. */
#include "bench/plot_frontier.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#include "bench/frontier.h"
#include "cli/amount.h"
#include "math/units.h"
#include "plot/axes.h"
#include "plot/svg.h"

#define PANEL_HEIGHT 240.0
#define LEFT         62.0
#define RIGHT        16.0
#define HEAD         22.0
#define FOOT         44.0

/* The least share that is drawn: 0.01 %. */
#define LEAST_PPM 100.0

static double cpu_ps(const struct frontier *f, unsigned regime, unsigned way)
{
	return (double)frontier_row(f, regime, way)->cpu_ns * PS_PER_NS;
}

static double late_ppm(const struct frontier *f, unsigned regime, unsigned way)
{
	return (double)f->late[regime][way] * PPM / (double)frontier_row(f, regime, way)->late.count;
}

/* All panels have the same axes. */
static struct axis cpu_axis(const struct frontier *f)
{
	struct axis axis = { .unit = AXIS_TIME, .is_log = true };
	double low = INFINITY, high = 0;

	for (unsigned regime = 0; regime < f->n_regimes; regime++)
		for (unsigned way = 0; way < FRONTIER_WAYS; way++) {
			low = fmin(low, cpu_ps(f, regime, way));
			high = fmax(high, cpu_ps(f, regime, way));
		}
	axis_fit(&axis, fmax(low, PS_PER_US), fmax(high, 2 * PS_PER_US));
	return axis;
}

static struct axis late_axis(void)
{
	struct axis axis = { .unit = AXIS_SHARE, .is_log = true };

	axis_fit(&axis, LEAST_PPM, PPM);
	return axis;
}

/* The name stands on the side where there is room, and above and below by turns: neighbours are often near. */
static void put_way(const struct panel *p, const struct frontier *f, unsigned regime, unsigned way)
{
	const struct sleep_candidate *c = &frontier_ways[way];
	double x = panel_x(p, cpu_ps(f, regime, way)), y = panel_y(p, late_ppm(f, regime, way));
	static const char *const styles[2][2] = { { "", "ours" }, { "end", "ours end" } };
	bool is_right = x > p->left + p->width / 2;
	char tip[160];

	snprintf(tip, sizeof(tip), "%s: %s of CPU time a sleep, %s late", c->name,
		 amount_time(cpu_ps(f, regime, way)).s, amount_share(late_ppm(f, regime, way)).s);
	svg_put(p->svg, SVG_SPOT, x, y, c->is_ours, tip);
	svg_text(p->svg, is_right ? x - 7 : x + 7, way % 2 ? y + 16 : y - 6, styles[is_right][c->is_ours], "%s",
		 c->name);
}

static void plot_regime(const struct frontier *f, struct svg *svg, unsigned regime)
{
	struct panel p = { .svg = svg, .left = LEFT, .top = 0, .width = svg->width - LEFT - RIGHT,
			   .height = PANEL_HEIGHT, .x = cpu_axis(f), .y = late_axis() };

	svg_head(svg, "Sleeps %s apart, %s", paced_rates[0].name, frontier_regimes[regime]);
	p.top = svg->y + HEAD;
	panel_frame(&p);
	for (unsigned way = 0; way < FRONTIER_WAYS; way++)
		put_way(&p, f, regime, way);
	svg->y = p.top + p.height + FOOT - 16;
	svg_text(svg, svg->width / 2, svg->y + 8, "soft mid", "CPU time of a sleep");
	svg->y += 24;
}

void plot_frontier(const void *frontier, enum plot_form form, FILE *to)
{
	const struct frontier *f = frontier;
	uint32_t rounds = atomic_load_explicit(&f->paced.rounds_done, memory_order_acquire);
	struct svg svg;
	char subtitle[80];

	snprintf(subtitle, sizeof(subtitle), "%u round%s", rounds, rounds == 1 ? "" : "s");
	svg_begin(&svg, form, to, "Sleeping: the share that is late, and its cost", subtitle);
	svg_note(&svg, "Upwards: the sleeps that ended more than 1 us after their deadline. Down and to the left is "
		       "better.");
	svg.y += HEAD;
	for (unsigned regime = 0; regime < f->n_regimes; regime++)
		plot_regime(f, &svg, regime);
	svg_end(&svg);
}
