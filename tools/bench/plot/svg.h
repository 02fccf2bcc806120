/* SPDX-License-Identifier: MIT */
/* A small kit for figures: panels with axes, lines, bands, points and labels, written as SVG. */
#ifndef HPT_BENCH_SVG_H
#define HPT_BENCH_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * No script, no font and no file of others, no id: it stands alone or, more than once, within a page. Lengths are in
 * units of the view box, of which a screen shows one as a pixel.
 */
struct hpt_svg {
	FILE *to;
	double width, height;
};

/* Colours, and shapes of markers, that are told apart. */
#define HPT_SVG_SERIES 7

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

/* A label behind the end of a line. */
struct hpt_svg_label {
	const char *text;
	double y;               /* where the line ends */
	unsigned series;
};

/* Room for a value with its unit, to three digits. */
struct hpt_svg_value { char s[32]; };

struct hpt_svg_value hpt_svg_time(double ps);
struct hpt_svg_value hpt_svg_share(double ppm);

void hpt_svg_begin(struct hpt_svg *svg, const char *title, const char *subtitle);
void hpt_svg_end(struct hpt_svg *svg);

/* @style: classes, of "head", "soft", "end" (aligned to the right), "mid", "num", "s0" .. "s6". */
void hpt_svg_text(struct hpt_svg *svg, double x, double y, const char *style, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* @style: "grid", "axis", "rule" (dashed), or "mark" with one of "s0" .. "s6". */
void hpt_svg_line(struct hpt_svg *svg, double x1, double y1, double x2, double y2, const char *style);

/* A filled outline through points in units of the view box; @tip shows when pointed at, NULL: nothing does. */
void hpt_svg_area(struct hpt_svg *svg, const double *x, const double *y, size_t n, unsigned series, const char *tip);

/* The marker of a series. */
void hpt_svg_marker(struct hpt_svg *svg, double x, double y, unsigned series, const char *tip);

/* A small disc. */
void hpt_svg_dot(struct hpt_svg *svg, double x, double y, unsigned series, const char *tip);

/* To the right of @x, as near to where their lines end as they fit without covering each other. Sorts them. */
void hpt_svg_labels(struct hpt_svg *svg, double x, double top, double bottom, struct hpt_svg_label *labels, size_t n);

/* A row of markers with names from @x on. */
void hpt_svg_legend(struct hpt_svg *svg, double x, double y, const char *const *names, size_t n);

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
