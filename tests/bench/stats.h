/* SPDX-License-Identifier: MIT */
/* What is told of many samples of one thing: where most lie, and how far out the rest. */
#ifndef HPT_BENCH_STATS_H
#define HPT_BENCH_STATS_H

#include "bench.h"

struct bench_stats {
	double median, trimmed_mean, mean, p90, p99, max;
	double above; /* share of them, 0..1, above the bound that was given */
};

/* Sorts v. The trimmed mean leaves 1 % out at either end, and one sample at least. n is 3 or more. */
struct bench_stats bench_stats_of(double *v, unsigned n, double bound);

/* Two lines: what follows is in nanoseconds, and the names of the columns. */
void bench_stats_print_head(const char *title, const char *above);

void bench_stats_print(const char *name, const struct bench_stats *s);

/* Load average and seed: what a run cannot be judged or repeated without. Seeds random(). */
void bench_print_conditions(unsigned seed);

#endif
