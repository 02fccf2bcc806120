/* SPDX-License-Identifier: MIT */
/* Statistics of many samples of one quantity: quantiles, moments, and a confidence interval of the median. */
#ifndef HPT_TOOLS_STATS_H
#define HPT_TOOLS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/* In the unit of the samples; all 0 without samples. */
struct stats {
	size_t  count;
	int64_t min, p10, median, p90, p99, p9999, max;
	int64_t low, high;              /* the true median lies between these with 95 % confidence */
	double  mean, stddev;           /* of all samples; divided by n - 1 */
	double  filtered_mean, filtered_stddev;
	size_t  dropped;                /* samples that the filter leaves out: above twice a positive median */
};

/* Sorts a copy; the samples stay in their order. */
void stats_of(const int64_t *samples, size_t n, struct stats *ret);

/* Ascending order, in place. */
void stats_sort(int64_t *samples, size_t n);

/* The least of the sorted samples that a share of @q (0..1) of them does not exceed. n >= 1. */
int64_t stats_quantile(const int64_t *sorted, size_t n, double q);

/* Are there enough samples for the quantile @q to be below the greatest? Of fewer, it is only the greatest. */
bool stats_knows(size_t n, double q);

/* The 0.5 quantile: the lower of the two middle samples where n is even. n >= 1. */
int64_t stats_median(const int64_t *sorted, size_t n);

/*
 * {"count", "mean_U", "stddev_U", "filtered_mean_U", "filtered_stddev_U", "dropped", "min_U", "p10_U", "median_U",
 * "low_U", "high_U", "p90_U", "p99_U", "p9999_U", "max_U"}, integers rounded to nearest; @unit is U, "ps" or "ns", and
 * samples are divided by @per_unit.
 */
json_t *stats_json(const struct stats *d, const char *unit, int64_t per_unit);

/* The filter in words, for tables and JSON. */
#define STATS_FILTER "samples above twice the median are left out"

#endif
