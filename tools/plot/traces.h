/* SPDX-License-Identifier: MIT */
/* Samples over the time of a run, a panel for each name, with their distribution at its right. */
#ifndef HPT_TOOLS_TRACES_H
#define HPT_TOOLS_TRACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/stats.h"
#include "plot/svg.h"

/* Samples in order of time: @each of them for each time. */
struct trace {
	const char *name;
	bool is_ours;
	const int64_t *ps;
	size_t each, n_times;
	const int64_t *at_ns;           /* the times; NULL: one every @every_ns */
	int64_t every_ns;
	bool is_by_number;              /* over the number of each sample instead */
	const struct stats *dist;   /* of all samples */
};

/*
 * Draws the panels from svg->y on: the median of each stretch of time as a line, the range from the minimum to the 90th
 * percentile as a band, and the maximum as a point. The number of stretches is limited, so that the file stays small.
 * All panels have the same axes. @label: of the axis of time.
 */
void plot_traces(struct svg *svg, const struct trace *traces, size_t n, const char *label);

#endif
