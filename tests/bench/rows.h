/* SPDX-License-Identifier: MIT */
/*
 * A table of calls and what each costs: every round runs all rows in a new random order, ratios are taken within
 * a round, and their median is the figure.
 */
#ifndef HPT_BENCH_ROWS_H
#define HPT_BENCH_ROWS_H

#include <stdbool.h>

#include "bench.h"

typedef void bench_loop(unsigned calls);

/* i counts the calls of a loop. */
#define BENCH_LOOP(name, expression)                                \
	static __attribute__((noinline)) void name(unsigned calls) \
	{                                                           \
		for (unsigned i = 0; i < calls; i++)                \
			BENCH_USE(expression);                      \
	}

#define BENCH_NO_BASE (-1)

/*
 * base is the row that the ratio and its target refer to; base2 another to compare with. A row without a loop is not
 * there.
 */
struct bench_row {
	const char *name;
	bench_loop *loop;
	int         base;
	double      target;
	int         base2;
};

struct bench_effort {
	unsigned rounds, calls;
};

/* [ROUNDS [CALLS]] of the command line over what is in *ret; false after saying what is wrong. */
bool bench_effort_of(int argc, char **argv, struct bench_effort *ret);

void bench_rows(const struct bench_row *rows, unsigned n, struct bench_effort effort);

#endif
