/* SPDX-License-Identifier: MIT */
/* Panels with axes, and lines and bands within them. */
#ifndef HPT_BENCH_AXES_H
#define HPT_BENCH_AXES_H

#include <stdbool.h>
#include <stddef.h>

#include "plot/svg.h"

/* The quantity of an axis. Values are in the unit given here, labels in one that is easy to read. */
enum hpt_axis_unit {
	HPT_AXIS_TIME,          /* ps */
	HPT_AXIS_SHARE,         /* ppm; labels are per cent */
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
	const char *title;      /* above the panel; NULL: no title */
	double left, top, width, height;
	struct hpt_axis x, y;
	bool hides_x, hides_y;  /* a neighbour labels the same axis: draw lines only */
};

/*
 * Sets the range to include @low .. @high: to the next 1, 2 or 5 on a logarithmic axis, which shows half a decade at
 * least, to the next tick on a linear one. Values that cannot be shown, such as 0 on a logarithmic axis, are left to
 * hpt_axis_at().
 */
void hpt_axis_fit(struct hpt_axis *axis, double low, double high);

/*
 * The position of a value: 0 is the low end, 1 the high end. A value outside is at the nearer end, NaN at the low end.
 */
double hpt_axis_at(const struct hpt_axis *axis, double value);

/* The ticks of an axis of this length. Returns their number. */
size_t hpt_axis_ticks(const struct hpt_axis *axis, double length, bool is_across,
		      struct hpt_axis_tick ret[HPT_AXIS_TICKS_MAX]);

double hpt_panel_x(const struct hpt_panel *p, double value);
double hpt_panel_y(const struct hpt_panel *p, double value);

/* Draws grid, ticks, labels and title. Call before drawing the data. */
void hpt_panel_frame(const struct hpt_panel *p);

/* The same for the horizontal axis alone. */
void hpt_panel_frame_x(const struct hpt_panel *p);

/* Values that are not finite leave gaps. */
void hpt_panel_line(const struct hpt_panel *p, const double *x, const double *y, size_t n, bool is_ours,
		    const char *tip);
void hpt_panel_band(const struct hpt_panel *p, const double *x, const double *low, const double *high, size_t n,
		    bool is_ours, const char *tip);

#endif
