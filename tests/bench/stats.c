// SPDX-License-Identifier: MIT
/* Order statistics, means, and a row of a table of them: stats.h. */
#include "stats.h"

static double mean_of(const double *v, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += v[i];
	return sum / n;
}

struct bench_stats bench_stats_of(double *v, unsigned n, double bound)
{
	struct bench_stats s = { .median = bench_quantile(v, n, 0.5), .mean = mean_of(v, n) };
	unsigned cut = (n + 99) / 100, below = n;

	s.trimmed_mean = mean_of(v + cut, n - 2 * cut);
	s.p90 = bench_quantile(v, n, 0.9);
	s.p99 = bench_quantile(v, n, 0.99);
	s.max = v[n - 1];
	while (below && v[below - 1] > bound)
		below--;
	s.above = (double)(n - below) / n;
	return s;
}

void bench_stats_print_head(const char *title, const char *above)
{
	printf("%s, ns\n%-26s %10s %10s %10s %10s %10s %10s %9s\n", title, "", "median", "trimmed", "mean", "p90",
	       "p99", "max", above);
}

void bench_stats_print(const char *name, const struct bench_stats *s)
{
	printf("%-26s %10.0f %10.0f %10.0f %10.0f %10.0f %10.0f %7.2f %%\n", name, s->median, s->trimmed_mean, s->mean,
	       s->p90, s->p99, s->max, 100 * s->above);
}

void bench_print_conditions(unsigned seed)
{
	double load[1];

	srandom(seed);
	printf("seed %u", seed);
	if (getloadavg(load, 1) == 1)
		printf(", load average %.2f before", load[0]);
	printf("\n");
	fflush(stdout);
}
