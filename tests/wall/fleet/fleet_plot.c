// SPDX-License-Identifier: MIT
/*
 * Draws how the width of walls' intervals and the wait for commits grow, as SVG on standard output.
 *
 * usage: fleet_plot SUBTITLE < POINTS      POINTS: lines "FIGURE X_NS Y_NS LINE": each figure's lines from the
 *        lowest up, and each line's points in order of X
 */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/amount.h"
#include "math/units.h"
#include "plot/axes.h"
#include "plot/parts.h"
#include "plot/svg.h"

#define LINES_MAX   8
#define POINTS_MAX  16
#define LEFT        92.0
#define RIGHT       150.0       /* for the names of lines */
#define NAME_HEIGHT 15.0
#define HEIGHT      260.0
#define HEAD        12.0
#define FOOT        56.0

struct line {
	char name[32];
	double x[POINTS_MAX], y[POINTS_MAX]; /* ps */
	size_t n;
};

static struct figure {
	const char *title, *x_label;
	struct line lines[LINES_MAX];
	size_t n;
} figures[] = {
	{ .title = "Width of the interval, median, for each round trip to the servers",
	  .x_label = "poll interval" },
	{ .title = "Wait of a chain of commits, median, for its number of machines",
	  .x_label = "round trip to the servers" },
};

#define FIGURES (sizeof(figures) / sizeof(figures[0]))

static struct line *find_line(struct figure *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->lines[i].name, name))
			return &f->lines[i];
	if (f->n == LINES_MAX)
		return NULL;
	strcpy(f->lines[f->n].name, name);
	return &f->lines[f->n++];
}

/* False: this is no line of POINTS, or too much. */
static bool take_point(const char *text)
{
	struct line *line;
	unsigned figure;
	int64_t x_ns, y_ns;
	char name[32];

	if (sscanf(text, "%u %" SCNd64 " %" SCNd64 " %31[^\n]", &figure, &x_ns, &y_ns, name) != 4 || figure >= FIGURES)
		return false;
	line = find_line(&figures[figure], name);
	if (!line || line->n == POINTS_MAX)
		return false;
	line->x[line->n] = (double)x_ns * PS_PER_NS;
	line->y[line->n++] = (double)y_ns * PS_PER_NS;
	return true;
}

static void fit(struct panel *p, const struct figure *f)
{
	double low[2] = { f->lines[0].x[0], f->lines[0].y[0] }, high[2] = { low[0], low[1] };

	for (size_t i = 0; i < f->n; i++) {
		for (size_t k = 0; k < f->lines[i].n; k++) {
			const double at[2] = { f->lines[i].x[k], f->lines[i].y[k] };

			for (int axis = 0; axis < 2; axis++) {
				low[axis] = at[axis] < low[axis] ? at[axis] : low[axis];
				high[axis] = at[axis] > high[axis] ? at[axis] : high[axis];
			}
		}
	}
	axis_fit(&p->x, low[0], high[0]);
	axis_fit(&p->y, low[1], high[1]);
}

/* The name is after the line's end, but above the names of the lines below it. */
static void draw_line(const struct panel *p, const struct line *line, double *above)
{
	const struct panel_points at = { line->x, line->n, true };
	double end = panel_x(p, line->x[line->n - 1]) + 8, foot = panel_y(p, line->y[line->n - 1]) + 4;
	char tip[160];

	panel_line(p, &at, line->y, line->name);
	for (size_t i = 0; i < line->n; i++) {
		snprintf(tip, sizeof(tip), "%s, %s: %s", line->name, amount_length(line->x[i]).s,
			 amount_time(line->y[i]).s);
		svg_put(p->svg, SVG_SPOT, panel_x(p, line->x[i]), panel_y(p, line->y[i]), true, tip);
	}
	*above = foot < *above - NAME_HEIGHT ? foot : *above - NAME_HEIGHT;
	svg_text(p->svg, end, *above, "soft", "%s", line->name);
}

static void draw_figure(struct svg *svg, const struct figure *f)
{
	struct panel p = { .svg = svg, .left = LEFT, .width = svg->width - LEFT - RIGHT, .height = HEIGHT,
		.x = { .unit = AXIS_TIME, .is_log = true, .label = f->x_label },
		.y = { .unit = AXIS_TIME, .is_log = true } };
	double above = INFINITY;

	if (!f->n)
		return;
	fit(&p, f);
	svg_head(svg, "%s", f->title);
	p.top = svg->y + HEAD;
	panel_frame(&p);
	for (size_t i = 0; i < f->n; i++)
		draw_line(&p, &f->lines[i], &above);
	svg->y = p.top + HEIGHT + FOOT;
}

int main(int argc, char **argv)
{
	char text[256];
	struct svg svg;

	if (argc != 2)
		return 2;
	while (fgets(text, sizeof(text), stdin))
		if (!take_point(text))
			return 2;
	svg_begin(&svg, PLOT_FILE, stdout, "A simulated fleet of walls", argv[1]);
	for (size_t i = 0; i < FIGURES; i++)
		draw_figure(&svg, &figures[i]);
	svg_end(&svg);
	return 0;
}
