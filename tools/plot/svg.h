/* SPDX-License-Identifier: MIT */
/* A small kit for drawings in SVG: texts, lines, areas and marks, from the top down. */
#ifndef HPT_BENCH_SVG_H
#define HPT_BENCH_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A file of its own, with title and style sheet; or within a page that has hpt_svg_style, for both widths of screen. */
enum hpt_plot_form { HPT_PLOT_FILE, HPT_PLOT_WIDE, HPT_PLOT_NARROW };

/*
 * The SVG needs no script, font or other file, and has no id: it can stand alone, and several can stand within one
 * page. Lengths are in units of the view box, which a screen shows as about one pixel each.
 */
struct hpt_svg {
	FILE *to;               /* the drawing up to now */
	double width, y;        /* y: where the next part begins */
	bool is_narrow;
	/* Internal. */
	enum hpt_plot_form form;
	FILE *whole;
	const char *title;
	char *text;
	size_t size;
	double key_x;
};

/* Texts and marks begin here, and end at as much before the right edge. */
#define HPT_SVG_MARGIN 14.0

extern const char hpt_svg_style[];

/* @title must exist until hpt_svg_end(). A page has headings of its own: only a file shows title and subtitle. */
void hpt_svg_begin(struct hpt_svg *svg, enum hpt_plot_form form, FILE *to, const char *title, const char *subtitle);
void hpt_svg_end(struct hpt_svg *svg);

/* Each moves y below what it draws. A note is wrapped. */
void hpt_svg_head(struct hpt_svg *svg, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void hpt_svg_note(struct hpt_svg *svg, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The kinds of marks. Blue marks are libhpt's, grey ones those of the yardsticks. */
enum hpt_svg_mark {
	HPT_SVG_DOT, HPT_SVG_RING, HPT_SVG_RANGE, HPT_SVG_STROKE, HPT_SVG_SPOT, HPT_SVG_POINT, HPT_SVG_LINE,
};

/* Explains a mark, after the one before in the same line if there is room. hpt_svg_key_end() ends the last line. */
void hpt_svg_key(struct hpt_svg *svg, enum hpt_svg_mark mark, bool is_ours, const char *text);
void hpt_svg_key_end(struct hpt_svg *svg);

/* @style: classes, of "head", "soft", "end" (aligned to the right), "mid", "num", "ours", "other". */
void hpt_svg_text(struct hpt_svg *svg, double x, double y, const char *style, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* An upper bound on the width of a text. */
double hpt_svg_text_width(const char *text);

/* @style: "grid", "axis", "rule" (dashed), or "mark", "range" with "ours" or "other". */
void hpt_svg_line(struct hpt_svg *svg, double x1, double y1, double x2, double y2, const char *style);

/* A filled outline. @tip: tooltip; NULL: no tooltip. */
void hpt_svg_area(struct hpt_svg *svg, const double *x, const double *y, size_t n, bool is_ours, const char *tip);

/* A disc, a ring, a smaller disc or a point. */
void hpt_svg_put(struct hpt_svg *svg, enum hpt_svg_mark mark, double x, double y, bool is_ours, const char *tip);

#endif
