/* SPDX-License-Identifier: MIT */
/* Parts that several plots share. */
#ifndef HPT_BENCH_PARTS_H
#define HPT_BENCH_PARTS_H

#include "plot/axes.h"
#include "plot/svg.h"

/*
 * The least time that a logarithmic axis shows, in ps: a nanosecond. Shorter times, 0 and negative ones result from
 * subtracting the stopwatch's own time, and are drawn at the low end.
 */
#define HPT_PLOT_LEAST_PS 1000.0

/* A range of times. hpt_range_add() widens it, by HPT_PLOT_LEAST_PS at least; NaN leaves it as it is. */
struct hpt_range { double low, high; };

#define HPT_RANGE_EMPTY { INFINITY, -INFINITY }

void hpt_range_add(struct hpt_range *span, double ps);
void hpt_range_fit(const struct hpt_range *span, struct hpt_axis *axis);

/* Notes the number of values below the low end of an axis, if there are any. */
void hpt_plot_note_below(struct hpt_svg *svg, size_t below, size_t all, const struct hpt_axis *axis);

#endif
