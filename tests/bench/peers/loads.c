// SPDX-License-Identifier: MIT
/* Measures and prints what libraries add to the life of a process: loads.h. */
#include "loads.h"

#include "../bench.h"
#include "../child.h"

/* The programs are numbered: those without a library are even. */
static char *program(const struct bench_loaded *of, unsigned i)
{
	return i % 2 ? of[i / 2].with : of[i / 2].without;
}

static bool run_round(const struct bench_loaded *of, unsigned *order, unsigned n, double **ms, unsigned round)
{
	char output[1];

	bench_shuffle(order, n);
	for (unsigned i = 0; i < n; i++) {
		char *argv[] = { program(of, order[i]), NULL };
		int64_t ns = bench_child(argv, output, sizeof(output));

		if (ns < 0) {
			fprintf(stderr, "bench_peers: %s failed\n", argv[0]);
			return false;
		}
		ms[order[i]][round] = (double)ns / 1e6;
	}
	return true;
}

static void print(const struct bench_loaded *of, double **ms, unsigned rounds)
{
	double without = bench_quantile(ms[0], rounds, 0.5), with = bench_quantile(ms[1], rounds, 0.5);

	printf("%-29s %12.3f %12.3f %12.3f %12.3f\n", of->library, without, with, bench_quantile(ms[1], rounds, 0.9),
	       with - without);
}

bool bench_compare_loads(const struct bench_loaded *of, unsigned n, unsigned rounds)
{
	unsigned *order = calloc(2 * n, sizeof(*order));
	double **ms = calloc(2 * n, sizeof(*ms));
	bool ok = true;

	for (unsigned i = 0; i < 2 * n; i++) {
		order[i] = i;
		ms[i] = calloc(rounds, sizeof(double));
	}
	for (unsigned round = 0; ok && round < rounds; round++)
		ok = run_round(of, order, 2 * n, ms, round);
	if (ok)
		printf("\nlives of programs that do nothing, %u of each\n%-29s %12s %12s %12s %12s\n", rounds, "ms",
		       "without", "with", "with, p90", "more");
	for (unsigned i = 0; ok && i < n; i++)
		print(&of[i], ms + 2 * i, rounds);
	for (unsigned i = 0; i < 2 * n; i++)
		free(ms[i]);
	free(ms);
	free(order);
	return ok;
}
