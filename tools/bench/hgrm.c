// SPDX-License-Identifier: MIT
/*
 * Writes percentiles in the format of HdrHistogram's outputPercentileDistribution(), with the levels of its
 * AbstractHistogram.java and PercentileIterator.java (version 2.2.2): 3 significant digits, and 5 levels for each
 * halving of the distance to 100 %. HdrHistogram rounds values to buckets; these are the samples themselves.
 */
#include "bench/hgrm.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/stats.h"
#include "math/units.h"
#include "cli/util.h"

#define LEVELS_PER_HALVING 5

/* The next level of percentiles, as in PercentileIterator.incrementIterationLevel(). */
static double next_level(double percent)
{
	double halvings = floor(log(100 / (100 - percent)) / log(2)) + 1;

	return percent + 100 / (LEVELS_PER_HALVING * pow(2, halvings));
}

/* The index after all samples equal to this one. */
static size_t end_of_equals(const int64_t *sorted, size_t n, size_t i)
{
	int64_t value = sorted[i];

	while (i < n && sorted[i] == value)
		i++;
	return i;
}

/* Writes a value once for each level that its share covers. The last line is 100 %, which has no inverse. */
static size_t write_levels(const int64_t *sorted, size_t n, FILE *to)
{
	size_t values = 0;
	double level = 0;

	for (size_t i = 0, end; i < n; i = end) {
		end = end_of_equals(sorted, n, i);
		values++;
		while (100 * (double)end / (double)n >= level) {
			fprintf(to, "%12.3f %2.12f %10zu %14.2f\n", (double)sorted[i] / PS_PER_NS, level / 100, end,
				1 / (1 - level / 100));
			level = next_level(level);
			if (end == n)
				break;
		}
	}
	if (n)
		fprintf(to, "%12.3f %2.12f %10zu\n", (double)sorted[n - 1] / PS_PER_NS, 1.0, n);
	return values;
}

void hgrm_write(const int64_t *ps, size_t n, FILE *to)
{
	int64_t *sorted = xcalloc(n + 1, sizeof(sorted[0]));
	struct stats d;
	size_t values;

	if (n)
		memcpy(sorted, ps, n * sizeof(ps[0]));
	stats_sort(sorted, n);
	stats_of(sorted, n, &d);
	fprintf(to, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)");
	values = write_levels(sorted, n, to);
	/* HdrHistogram divides the variance by n, not by n - 1. Each distinct value is a bucket of its own. */
	fprintf(to, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", d.mean / PS_PER_NS,
		n ? d.stddev * sqrt((double)(n - 1) / (double)n) / PS_PER_NS : 0);
	fprintf(to, "#[Max     = %12.3f, Total count    = %12zu]\n", (double)d.max / PS_PER_NS, n);
	fprintf(to, "#[Buckets = %12zu, SubBuckets     = %12d]\n", values, 1);
	free(sorted);
}
