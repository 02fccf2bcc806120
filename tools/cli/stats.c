// SPDX-License-Identifier: MIT
/* Computes statistics from sorted samples: tools/cli/stats.h. */
#include "cli/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "cli/util.h"

/* 95 % of a normal distribution lie within this many standard deviations of its mean. */
#define Z_95 1.96

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void stats_sort(int64_t *samples, size_t n)
{
	if (n)
		qsort(samples, n, sizeof(samples[0]), compare);
}

int64_t stats_quantile(const int64_t *sorted, size_t n, double q)
{
	double rank = ceil(q * (double)n);

	if (rank < 1)
		rank = 1;
	return sorted[rank > (double)n ? n - 1 : (size_t)rank - 1];
}

bool stats_knows(size_t n, double q)
{
	return (double)n * (1 - q) >= 1 - 1e-9;
}

int64_t stats_median(const int64_t *sorted, size_t n)
{
	return stats_quantile(sorted, n, 0.5);
}

/* The distance from the least sample: unlike a sum of two samples it always fits. */
static double above(const int64_t *sorted, size_t i)
{
	return (double)((uint64_t)sorted[i] - (uint64_t)sorted[0]);
}

/* Sums distances from the first value, so that samples far from 0 lose no digits. */
static void moments(const int64_t *sorted, size_t n, double *ret_mean, double *ret_stddev)
{
	double sum = 0, squares = 0, mean;

	for (size_t i = 0; i < n; i++)
		sum += above(sorted, i);
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (above(sorted, i) - mean) * (above(sorted, i) - mean);
	*ret_mean = (double)sorted[0] + mean;
	*ret_stddev = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
}

/* The 95 % binomial confidence interval of the median (normal approximation), as ranks. */
static void bound_median(const int64_t *sorted, size_t n, struct stats *ret)
{
	double half = Z_95 * sqrt((double)n) / 2, middle = ((double)n - 1) / 2;
	double low = floor(middle - half), high = ceil(middle + half);

	ret->low = sorted[low < 0 ? 0 : (size_t)low];
	ret->high = sorted[high > (double)(n - 1) ? n - 1 : (size_t)high];
}

static size_t kept_by_filter(const int64_t *sorted, size_t n, int64_t median)
{
	size_t left = n;

	while (median > 0 && sorted[left - 1] - median > median)
		left--;
	return left;
}

void stats_of(const int64_t *samples, size_t n, struct stats *ret)
{
	int64_t *v;
	size_t kept;

	*ret = (struct stats){ .count = n };
	if (!n)
		return;
	v = xcalloc(n, sizeof(v[0]));
	memcpy(v, samples, n * sizeof(v[0]));
	stats_sort(v, n);
	ret->min = v[0];
	ret->p10 = stats_quantile(v, n, 0.1);
	ret->median = stats_median(v, n);
	ret->p90 = stats_quantile(v, n, 0.9);
	ret->p99 = stats_quantile(v, n, 0.99);
	ret->p9999 = stats_quantile(v, n, 0.9999);
	ret->max = v[n - 1];
	bound_median(v, n, ret);
	moments(v, n, &ret->mean, &ret->stddev);
	kept = kept_by_filter(v, n, ret->median);
	ret->dropped = n - kept;
	moments(v, kept, &ret->filtered_mean, &ret->filtered_stddev);
	free(v);
}

static void add_mean(json_t *o, const char *name, const char *unit, double value)
{
	char key[64];

	snprintf(key, sizeof(key), "%s_%s", name, unit);
	/* No double equals INT64_MAX: the nearest one does not fit an int64_t. */
	out_json_sint(o, key, value < (double)INT64_MAX ? (int64_t)llround(value) : INT64_MAX);
}

/* Rounds to nearest, halves away from 0, as llround() does, but without losing digits. */
static void add_sample(json_t *o, const char *name, const char *unit, int64_t value, int64_t per_unit)
{
	int64_t rest = value % per_unit, whole = value / per_unit;
	char key[64];

	if (rest >= per_unit - rest)
		whole++;
	else if (-rest >= per_unit + rest)
		whole--;
	snprintf(key, sizeof(key), "%s_%s", name, unit);
	out_json_sint(o, key, whole);
}

json_t *stats_json(const struct stats *d, const char *unit, int64_t per_unit)
{
	const struct { const char *name; double value; } means[] = {
		{ "mean", d->mean }, { "stddev", d->stddev },
		{ "filtered_mean", d->filtered_mean }, { "filtered_stddev", d->filtered_stddev },
	};
	const struct { const char *name; int64_t value; } samples[] = {
		{ "min", d->min }, { "p10", d->p10 }, { "median", d->median }, { "low", d->low }, { "high", d->high },
		{ "p90", d->p90 }, { "p99", d->p99 }, { "p9999", d->p9999 }, { "max", d->max },
	};
	json_t *o = json_object();

	out_json_int(o, "count", d->count);
	out_json_int(o, "dropped", d->dropped);
	for (size_t i = 0; i < sizeof(means) / sizeof(means[0]); i++)
		add_mean(o, means[i].name, unit, means[i].value / (double)per_unit);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		add_sample(o, samples[i].name, unit, samples[i].value, per_unit);
	return o;
}
