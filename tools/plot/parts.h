/* SPDX-License-Identifier: MIT */
/* Parts that several plots share. */
#ifndef HPT_TOOLS_PARTS_H
#define HPT_TOOLS_PARTS_H

#include "plot/axes.h"
#include "plot/svg.h"

/*
 * The least time that a logarithmic axis shows, in ps: a nanosecond. Shorter times, 0 and negative ones result from
 * subtracting the stopwatch's own time, and are drawn at the low end.
 */
#define PLOT_LEAST_PS 1000.0

/* A range of times. range_add() widens it, by PLOT_LEAST_PS at least; NaN leaves it as it is. */
struct range { double low, high; };

#define RANGE_EMPTY { INFINITY, -INFINITY }

void range_add(struct range *span, double ps);
void range_fit(const struct range *span, struct axis *axis);

/* Notes the number of values below the low end of an axis, if there are any. */
void plot_note_below(struct svg *svg, size_t below, size_t all, const struct axis *axis);

#endif
