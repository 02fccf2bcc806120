/* SPDX-License-Identifier: MIT */
/* A small kit for drawings in SVG: texts, lines, areas, markers and labels. */
#ifndef HPT_BENCH_SVG_H
#define HPT_BENCH_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The SVG needs no script, font or other file, and has no id: it can stand alone, and several can stand within one
 * page. Lengths are in units of the view box, which a screen shows as one pixel each.
 */
struct hpt_svg {
	FILE *to;
	double width, height;
};

/* Number of distinct colours, each with a shape of marker. */
#define HPT_SVG_SERIES 7

/* A label after the end of a line. */
struct hpt_svg_label {
	const char *text;
	double y;               /* where the line ends */
	unsigned series;
};

/* A value with its unit, to three digits. */
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

/* A filled outline through points in units of the view box. @tip: tooltip; NULL: no tooltip. */
void hpt_svg_area(struct hpt_svg *svg, const double *x, const double *y, size_t n, unsigned series, const char *tip);

/* The marker of a series. */
void hpt_svg_marker(struct hpt_svg *svg, double x, double y, unsigned series, const char *tip);

/* A small disc. */
void hpt_svg_dot(struct hpt_svg *svg, double x, double y, unsigned series, const char *tip);

/* Draws labels to the right of @x, as near to the ends of their lines as possible without overlap. Sorts them. */
void hpt_svg_labels(struct hpt_svg *svg, double x, double top, double bottom, struct hpt_svg_label *labels, size_t n);

/* A row of markers with names, to the right of @x. */
void hpt_svg_legend(struct hpt_svg *svg, double x, double y, const char *const *names, size_t n);

#endif
