/* SPDX-License-Identifier: MIT */
/* Distributions one below the other, each as a strip. */
#ifndef HPT_BENCH_RIDGE_H
#define HPT_BENCH_RIDGE_H

#include "bench/plot/svg.h"
#include "stats.h"

/* A strip: the distribution of samples, and their statistics @dist. */
struct hpt_ridge {
	const char *name;
	unsigned series;
	const int64_t *ps;
	size_t n;
	const struct hpt_stats *dist;
};

double hpt_ridges_height(size_t n);

/* Sorts the strips, the quickest first, and draws them below @top. */
void hpt_plot_ridges(struct hpt_svg *svg, double top, struct hpt_ridge *ridges, size_t n, const char *label);

#endif
