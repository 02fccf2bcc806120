/* SPDX-License-Identifier: MIT */
/*
 * A table of calls and their costs. Every round runs all rows in a new random order; ratios are taken within a round,
 * and their median is the result.
 */
#ifndef HPT_TOOLS_ROWS_H
#define HPT_TOOLS_ROWS_H

#include <stdbool.h>

#include "bench.h"

typedef void bench_loop(unsigned calls);

/* Defines a loop. The expression may use i, the number of the call. */
#define BENCH_LOOP(name, expression)                                \
	static __attribute__((noinline)) void name(unsigned calls) \
	{                                                           \
		for (unsigned i = 0; i < calls; i++)                \
			BENCH_USE(expression);                      \
	}

#define BENCH_NO_BASE (-1)

/*
 * base is the row that the ratio and its target refer to; base2 is another row to compare with. A row without a loop is
 * left out.
 */
struct bench_row {
	const char *name;
	bench_loop *loop;
	int         base;
	double      target;
	int         base2;
	double      most_ns;            /* the highest cost wanted, in ns; 0: no target */
};

struct bench_effort {
	unsigned rounds, calls;
};

/* Reads [ROUNDS [CALLS]] of the command line over the defaults in *ret. Prints the usage and returns false on error. */
bool bench_effort_of(int argc, char **argv, struct bench_effort *ret);

void bench_rows(const struct bench_row *rows, unsigned n, struct bench_effort effort);

#endif
