// SPDX-License-Identifier: MIT
/* Measures and prints a table of calls: rows.h. */
#include "rows.h"

#define ROUNDS_MAX 100000

bool bench_effort_of(int argc, char **argv, struct bench_effort *ret)
{
	if (argc > 1)
		ret->rounds = (unsigned)atoi(argv[1]);
	if (argc > 2)
		ret->calls = (unsigned)atoi(argv[2]);
	if (ret->rounds && ret->rounds <= ROUNDS_MAX && ret->calls >= 16)
		return true;
	fprintf(stderr, "usage: %s [ROUNDS [CALLS]]\n", argv[0]);
	return false;
}

struct table {
	const struct bench_row *rows;
	unsigned n;
	struct bench_effort effort;
	double *cost;    /* ns per call, by row and round */
	double *scratch; /* one value per round */
};

static double *costs(const struct table *t, unsigned row)
{
	return &t->cost[(size_t)row * t->effort.rounds];
}

static double time_row(const struct table *t, unsigned row)
{
	int64_t start;

	t->rows[row].loop(t->effort.calls / 16); /* warms caches and branch predictors for this loop */
	start = bench_ns();
	t->rows[row].loop(t->effort.calls);
	return (double)(bench_ns() - start) / t->effort.calls;
}

static void measure(const struct table *t, unsigned *order)
{
	for (unsigned i = 0; i < t->n; i++)
		order[i] = i;
	for (unsigned round = 0; round < t->effort.rounds; round++) {
		bench_shuffle(order, t->n);
		for (unsigned i = 0; i < t->n; i++)
			if (t->rows[order[i]].loop)
				costs(t, order[i])[round] = time_row(t, order[i]);
	}
}

static void print_ratio(const struct table *t, unsigned row, int base, double target)
{
	unsigned rounds = t->effort.rounds;
	double median;

	if (base == BENCH_NO_BASE || base == (int)row || !t->rows[base].loop)
		return;
	for (unsigned i = 0; i < rounds; i++)
		t->scratch[i] = costs(t, row)[i] / costs(t, (unsigned)base)[i];
	median = bench_quantile(t->scratch, rounds, 0.5);
	printf("   %.3f x %s (p10 %.3f, p90 %.3f)", median, t->rows[base].name, bench_quantile(t->scratch, rounds, 0.1),
	       bench_quantile(t->scratch, rounds, 0.9));
	if (target > 0)
		printf(" target %.2f %s", target, bench_verdict(median, target));
}

static void print_row(const struct table *t, unsigned row)
{
	const struct bench_row *r = &t->rows[row];

	for (unsigned i = 0; i < t->effort.rounds; i++)
		t->scratch[i] = costs(t, row)[i];
	printf("%-29s %7.2f (p10 %.2f, p90 %.2f)", r->name, bench_quantile(t->scratch, t->effort.rounds, 0.5),
	       bench_quantile(t->scratch, t->effort.rounds, 0.1), bench_quantile(t->scratch, t->effort.rounds, 0.9));
	if (r->most_ns > 0)
		printf(" target %.2f %s", r->most_ns,
		       bench_verdict(bench_quantile(t->scratch, t->effort.rounds, 0.5), r->most_ns));
	print_ratio(t, row, r->base, r->target);
	print_ratio(t, row, r->base2, 0);
	printf("\n");
}

void bench_rows(const struct bench_row *rows, unsigned n, struct bench_effort effort)
{
	struct table t = {
		.rows = rows, .n = n, .effort = effort,
		.cost = calloc((size_t)n * effort.rounds, sizeof(double)),
		.scratch = calloc(effort.rounds, sizeof(double)),
	};
	unsigned *order = calloc(n, sizeof(*order));

	bench_pin();
	measure(&t, order);
	printf("%u rounds of %u calls, one CPU, random order; ns a call, median\n", effort.rounds, effort.calls);
	for (unsigned row = 0; row < n; row++)
		if (rows[row].loop)
			print_row(&t, row);
	free(t.cost);
	free(t.scratch);
	free(order);
}
