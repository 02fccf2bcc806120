/* SPDX-License-Identifier: MIT */
/* Panels with axes, and lines and bands within them. */
#ifndef HPT_TOOLS_AXES_H
#define HPT_TOOLS_AXES_H

#include <stdbool.h>
#include <stddef.h>

#include "plot/svg.h"

/* The quantity of an axis. Values are in the unit given here, labels in one that is easy to read. */
enum axis_unit {
	AXIS_TIME,          /* ps */
	AXIS_SHARE,         /* ppm; labels are per cent */
	AXIS_COUNT,         /* a number of things */
};

struct axis {
	enum axis_unit unit;
	bool is_log;
	double from, to;
	const char *label;
};

struct axis_tick {
	double value;
	char text[24];          /* "": no label */
	bool is_major;
};

#define AXIS_TICKS_MAX 256

struct panel {
	struct svg *svg;
	const char *title;      /* above the panel; NULL: no title */
	double left, top, width, height;
	struct axis x, y;
	bool hides_x, hides_y;  /* a neighbour labels the same axis: draw lines only */
};

/*
 * Sets the range to include @low .. @high: to the next 1, 2 or 5 on a logarithmic axis, which shows half a decade at
 * least, to the next tick on a linear one. Values that cannot be shown, such as 0 on a logarithmic axis, are left to
 * axis_at().
 */
void axis_fit(struct axis *axis, double low, double high);

/*
 * The position of a value: 0 is the low end, 1 the high end. A value outside is at the nearer end, NaN at the low end.
 */
double axis_at(const struct axis *axis, double value);

/* The ticks of an axis of this length. Returns their number. */
size_t axis_ticks(const struct axis *axis, double length, bool is_across,
		      struct axis_tick ret[AXIS_TICKS_MAX]);

double panel_x(const struct panel *p, double value);
double panel_y(const struct panel *p, double value);

/* Draws grid, ticks, labels and title. Call before drawing the data. */
void panel_frame(const struct panel *p);

/* The same for the horizontal axis alone. */
void panel_frame_x(const struct panel *p);

/* Where the points of a line, or of a band's two lines, stand on the horizontal axis. */
struct panel_points {
	const double *x;
	size_t n;
	bool is_ours;
};

/* Values that are not finite leave gaps. */
void panel_line(const struct panel *p, const struct panel_points *at, const double *y, const char *tip);
void panel_band(const struct panel *p, const struct panel_points *at, const double *low, const double *high,
		const char *tip);

#endif
