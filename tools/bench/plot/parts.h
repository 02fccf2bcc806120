/* SPDX-License-Identifier: MIT */
/* Parts that several plots share. */
#ifndef HPT_BENCH_PARTS_H
#define HPT_BENCH_PARTS_H

#include "bench/plot/axes.h"
#include "bench/plot/svg.h"

/* All plots have this width, so that they align on a page. */
#define HPT_PLOT_WIDTH 960.0

/*
 * The least time that a logarithmic axis shows, in ps: a nanosecond. Shorter times, 0 and negative ones result from
 * subtracting the stopwatch's own time, and are drawn at the low end.
 */
#define HPT_PLOT_LEAST_PS 1000.0

/* A range of times. hpt_range_add() widens it, by HPT_PLOT_LEAST_PS at least. */
struct hpt_range { double low, high; };

#define HPT_RANGE_EMPTY { INFINITY, -INFINITY }

void hpt_range_add(struct hpt_range *span, double ps);
void hpt_range_fit(const struct hpt_range *span, struct hpt_axis *axis);

/* Samples in order of time: @each of them for each time. */
struct hpt_trace {
	const char *name;
	unsigned series;
	const int64_t *ps;
	size_t each, n_times;
	const int64_t *at_ns;           /* the times; NULL: one every @every_ns */
	int64_t every_ns;
};

int64_t hpt_trace_end_ns(const struct hpt_trace *s);

/*
 * Draws samples over time: the median of each stretch as a line, the range from the minimum to the 90th percentile as a
 * band, and the maximum as a point. The number of stretches is limited, so that the file stays small.
 */
void hpt_plot_over_time(const struct hpt_panel *p, const struct hpt_trace *s);

/*
 * The distribution of samples over an axis: the share in each of its parts. Samples below the axis count in the first
 * part.
 */
void hpt_plot_shares(const struct hpt_axis *axis, const int64_t *ps, size_t n, double *ret, size_t n_parts);

/* The number of samples below the low end of an axis, and above its high end. */
size_t hpt_plot_below(const struct hpt_axis *axis, const int64_t *ps, size_t n);
size_t hpt_plot_above(const struct hpt_axis *axis, const int64_t *ps, size_t n);

/* Notes the number of values below the low end, if there are any. */
void hpt_plot_note_below(struct hpt_svg *svg, double x, double y, size_t below, size_t all,
			 const struct hpt_axis *axis);

#endif
