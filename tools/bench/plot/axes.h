/* SPDX-License-Identifier: MIT */
/* Panels with axes, and lines and bands drawn along these. */
#ifndef HPT_BENCH_AXES_H
#define HPT_BENCH_AXES_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/plot/svg.h"

/* What an axis counts. Values are in the first unit, labels in what is easy to read. */
enum hpt_axis_unit {
	HPT_AXIS_TIME,          /* ps */
	HPT_AXIS_SHARE,         /* ppm; labels are per cent */
	HPT_AXIS_TAIL,          /* 1 / (1 - p); labels are p in per cent */
};

struct hpt_axis {
	enum hpt_axis_unit unit;
	bool is_log;
	double from, to;
	const char *label;
};

struct hpt_axis_tick {
	double value;
	char text[24];          /* "": no label */
	bool is_major;
};

#define HPT_AXIS_TICKS_MAX 256

struct hpt_panel {
	struct hpt_svg *svg;
	const char *title;      /* above it; NULL: none */
	double left, top, width, height;
	struct hpt_axis x, y;
	bool hides_x, hides_y;  /* a neighbour has the same axis: lines, but no labels */
};

/*
 * The range that holds @low .. @high: to the next 1, 2 or 5 on a logarithmic axis, where half a decade at least is
 * shown, to the next tick on a linear one. What cannot be shown, such as 0 of a logarithm, is left to hpt_axis_at().
 */
void hpt_axis_fit(struct hpt_axis *axis, double low, double high);

/* Where it is: 0 the foot, 1 the top. What lies outside is at the nearer end, and what is no number at the foot. */
double hpt_axis_at(const struct hpt_axis *axis, double value);

/* Of an axis that is so long. Returns how many. */
size_t hpt_axis_ticks(const struct hpt_axis *axis, double length, bool is_across, struct hpt_axis_tick ret[HPT_AXIS_TICKS_MAX]);

double hpt_panel_x(const struct hpt_panel *p, double value);
double hpt_panel_y(const struct hpt_panel *p, double value);

/* Grid, ticks, labels and title: before what it shows. */
void hpt_panel_frame(const struct hpt_panel *p);

/* Of this only what belongs to the axis across. */
void hpt_panel_frame_x(const struct hpt_panel *p);

/* Values that are not finite are gaps. */
void hpt_panel_line(const struct hpt_panel *p, const double *x, const double *y, size_t n, unsigned series,
		    const char *style, const char *tip);
void hpt_panel_band(const struct hpt_panel *p, const double *x, const double *low, const double *high, size_t n,
		    unsigned series, const char *tip);

/* An upright line with a word above it. */
void hpt_panel_rule(const struct hpt_panel *p, double x, const char *word);

#endif
