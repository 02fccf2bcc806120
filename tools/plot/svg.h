/* SPDX-License-Identifier: MIT */
/* A small kit for drawings in SVG: texts, lines, areas and marks, from the top down. */
#ifndef HPT_TOOLS_SVG_H
#define HPT_TOOLS_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A file of its own, with title and style sheet; or within a page that has svg_style, for both widths of screen. */
enum plot_form { PLOT_FILE, PLOT_WIDE, PLOT_NARROW };

/*
 * The SVG needs no script, font or other file, and has no id: it can stand alone, and several can stand within one
 * page. Lengths are in units of the view box, which a screen shows as about one pixel each.
 */
struct svg {
	FILE *to;               /* the drawing up to now */
	double width, y;        /* y: where the next part begins */
	bool is_narrow;
	/* Internal. */
	enum plot_form form;
	FILE *whole;
	const char *title;
	char *text;
	size_t size;
	double key_x;
};

/* Texts and marks begin here, and end at as much before the right edge. */
#define SVG_MARGIN 14.0

extern const char svg_style[];

/* @title must exist until svg_end(). A page has headings of its own: only a file shows title and subtitle. */
void svg_begin(struct svg *svg, enum plot_form form, FILE *to, const char *title, const char *subtitle);
void svg_end(struct svg *svg);

/* Each moves y below what it draws. A note is wrapped. */
void svg_head(struct svg *svg, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void svg_note(struct svg *svg, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The kinds of marks. Blue marks are libhpt's, grey ones those of the yardsticks. */
enum svg_mark {
	SVG_DOT, SVG_RING, SVG_RANGE, SVG_STROKE, SVG_SPOT, SVG_POINT, SVG_LINE,
};

/* Explains a mark, after the one before in the same line if there is room. svg_key_end() ends the last line. */
void svg_key(struct svg *svg, enum svg_mark mark, bool is_ours, const char *text);
void svg_key_end(struct svg *svg);

/* @style: classes, of "head", "soft", "end" (aligned to the right), "mid", "num", "ours", "other". */
void svg_text(struct svg *svg, double x, double y, const char *style, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* An upper bound on the width of a text. */
double svg_text_width(const char *text);

/* @style: "grid", "axis", "rule" (dashed), or "mark", "range" with "ours" or "other". */
void svg_line(struct svg *svg, double x1, double y1, double x2, double y2, const char *style);

/* A filled outline. @tip: tooltip; NULL: no tooltip. */
void svg_area(struct svg *svg, const double *x, const double *y, size_t n, bool is_ours, const char *tip);

/* A disc, a ring, a smaller disc or a point. */
void svg_put(struct svg *svg, enum svg_mark mark, double x, double y, bool is_ours, const char *tip);

#endif
