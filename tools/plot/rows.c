// SPDX-License-Identifier: MIT
/*
 * Draws rows of dots: tools/plot/rows.h. On a wide screen names, dots and numbers stand side by side; on a narrow
 * one each name and its numbers stand above their dots.
 */
#include "plot/rows.h"

#include <math.h>
#include <stdio.h>

#include "cli/amount.h"
#include "plot/axes.h"
#include "plot/parts.h"
#include "plot/svg.h"

/* Where the parts of a row are. */
struct layout {
	double name_x;                  /* where a name ends, or begins on a narrow screen */
	double left, width;             /* of the axis */
	double number_x[2];             /* where the numbers end */
	double height;                  /* of a row */
	double dots_y;                  /* from the row's top to its dots */
	double group_height;
};

static const struct layout wide = { 250, 268, 506, { 858, 946 }, 23, 12, 30 };
static const struct layout narrow = { SVG_MARGIN, SVG_MARGIN, 332, { 284, 346 }, 37, 26, 28 };

/* From a row's top to the foot of its text. */
#define TEXT_FOOT 16.0

#define HEADS_HEIGHT 20.0
#define AXIS_HEIGHT  46.0

static struct axis axis_of(const struct plot_rows *rows)
{
	struct axis axis = { .unit = AXIS_TIME, .is_log = true, .label = rows->label };
	struct range span = RANGE_EMPTY;

	for (size_t i = 0; i < rows->n; i++) {
		const struct plot_row *row = &rows->rows[i];
		const double values[] = { row->dot, row->ring, row->stroke, row->low, row->high };

		for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++)
			range_add(&span, values[k]);
	}
	range_fit(&span, &axis);
	return axis;
}

static double height_of(const struct plot_rows *rows, const struct layout *at)
{
	double height = 0;

	for (size_t i = 0; i < rows->n; i++)
		height += at->height + (rows->rows[i].group ? at->group_height : 0);
	return height;
}

static void draw_marks(const struct panel *p, const struct plot_row *row, double y)
{
	const char *owner = row->is_ours ? "ours" : "other";
	char classes[24];

	svg_line(p->svg, p->left, y, p->left + p->width, y, "grid");
	snprintf(classes, sizeof(classes), "range %s", owner);
	if (isfinite(row->low) && isfinite(row->high))
		svg_line(p->svg, panel_x(p, row->low), y, panel_x(p, row->high), y, classes);
	snprintf(classes, sizeof(classes), "mark %s", owner);
	if (isfinite(row->stroke))
		svg_line(p->svg, panel_x(p, row->stroke), y - 5, panel_x(p, row->stroke), y + 5, classes);
	if (isfinite(row->dot) && isfinite(row->ring))
		svg_line(p->svg, panel_x(p, row->dot), y, panel_x(p, row->ring), y, classes);
	if (isfinite(row->ring))
		svg_put(p->svg, SVG_RING, panel_x(p, row->ring), y, row->is_ours, row->name);
	if (isfinite(row->dot))
		svg_put(p->svg, SVG_DOT, panel_x(p, row->dot), y, row->is_ours, row->name);
}

static void draw_row(const struct panel *p, const struct layout *at, const struct plot_row *row, double top)
{
	const char *style = row->is_ours ? "ours num" : "num";
	char classes[24];

	snprintf(classes, sizeof(classes), "%s%s", style, at->dots_y > TEXT_FOOT ? "" : " end");
	svg_text(p->svg, at->name_x, top + TEXT_FOOT, classes, "%s", row->name);
	snprintf(classes, sizeof(classes), "%s end", style);
	for (int i = 0; i < 2; i++)
		svg_text(p->svg, at->number_x[i], top + TEXT_FOOT, classes, "%s",
			     isnan(row->numbers[i]) ? "-" : amount_time(row->numbers[i]).s);
	draw_marks(p, row, top + at->dots_y);
}

void plot_rows(struct svg *svg, const struct plot_rows *rows)
{
	const struct layout *at = svg->is_narrow ? &narrow : &wide;
	struct panel p = { .svg = svg, .left = at->left, .top = svg->y + HEADS_HEIGHT, .width = at->width,
			       .height = height_of(rows, at), .x = axis_of(rows), .hides_y = true };
	double y = p.top;

	p.y = (struct axis){ .from = 0, .to = 1 };
	for (int i = 0; i < 2; i++)
		svg_text(svg, at->number_x[i], svg->y + 14, "soft end", "%s", rows->heads[i]);
	panel_frame_x(&p);
	for (size_t i = 0; i < rows->n; i++) {
		if (rows->rows[i].group) {
			svg_text(svg, SVG_MARGIN, y + at->group_height - 6, "head", "%s",
				     rows->rows[i].group);
			y += at->group_height;
		}
		draw_row(&p, at, &rows->rows[i], y);
		y += at->height;
	}
	svg->y = p.top + p.height + AXIS_HEIGHT;
}
