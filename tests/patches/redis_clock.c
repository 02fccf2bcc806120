/* SPDX-License-Identifier: MIT */
/*
 * Linked with the monotonic.c of a Redis or Valkey: prints what one getMonotonicUs() takes in nanoseconds, the median
 * of many short loops, and the name of the clock.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const char *monotonicInit(void);
extern uint64_t (*getMonotonicUs)(void);

enum { LOOPS = 1001, READS = 2000 };

/* What Valkey's assert() calls. */
void _serverAssert(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: %s\n", file, line, what);
	abort();
}

static double now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

static double read_ns(void)
{
	double start = now_ns();

	for (int i = 0; i < READS; i++)
		getMonotonicUs();
	return (now_ns() - start) / READS;
}

static int compare(const void *one, const void *two)
{
	double a = *(const double *)one, b = *(const double *)two;

	return (a > b) - (a < b);
}

int main(void)
{
	static double costs[LOOPS];
	const char *name = monotonicInit();

	for (int i = 0; i < LOOPS; i++)
		costs[i] = read_ns();
	qsort(costs, LOOPS, sizeof(*costs), compare);
	printf("%.2f %s\n", costs[LOOPS / 2], name);
	return 0;
}
