/* SPDX-License-Identifier: MIT */
/* What more than one figure is made of. */
#ifndef HPT_BENCH_PARTS_H
#define HPT_BENCH_PARTS_H

#include "bench/plot/axes.h"
#include "bench/plot/svg.h"

/* All figures are as wide, so that they stand well below each other. */
#define HPT_PLOT_WIDTH 960.0

/*
 * The least time that a figure with a logarithmic axis shows, in ps: a nanosecond. What is shorter, or 0, or below,
 * comes of the stopwatch's own time being taken off, and lies at the foot.
 */
#define HPT_PLOT_LEAST_PS 1000.0

/* Grows from empty, by what is a time above the least one. */
struct hpt_range { double low, high; };

#define HPT_RANGE_EMPTY { INFINITY, -INFINITY }

void hpt_range_add(struct hpt_range *span, double ps);
void hpt_range_fit(const struct hpt_range *span, struct hpt_axis *axis);

/* Samples in order of time: @each of them at each time. */
struct hpt_trace {
	const char *name;
	unsigned series;
	const int64_t *ps;
	size_t each, n_times;
	const int64_t *at_ns;           /* of each time; NULL: one every @every_ns */
	int64_t every_ns;
};

int64_t hpt_trace_end_ns(const struct hpt_trace *s);

/*
 * Over time: the middle of each stretch as a line, from the least to what 90 % do not exceed as a band, and the highest
 * as a point. There are so few stretches that a figure of many samples is a small file.
 */
void hpt_plot_over_time(const struct hpt_panel *p, const struct hpt_trace *s);

/* How samples are shared out over an axis: what share is in each part. What lies below is in the first one. */
void hpt_plot_shares(const struct hpt_axis *axis, const int64_t *ps, size_t n, double *ret, size_t n_parts);

/* How many lie below the foot, and beyond the end. */
size_t hpt_plot_below(const struct hpt_axis *axis, const int64_t *ps, size_t n);
size_t hpt_plot_above(const struct hpt_axis *axis, const int64_t *ps, size_t n);

/* Says how many of all lie below the foot; nothing if none does. */
void hpt_plot_note_below(struct hpt_svg *svg, double x, double y, size_t below, size_t all,
			 const struct hpt_axis *axis);

#endif
