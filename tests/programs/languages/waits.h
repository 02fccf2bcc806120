/* SPDX-License-Identifier: MIT */
/* What the programs of event loops share: a thread that writes items, and the report. */
#ifndef WAITS_H
#define WAITS_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WARM_UP = 30, ITEMS = 200, MS = 1000000 };

static int pipe_ends[2];
static long wanted, measured; /* waits of "late" */
static int64_t *found, cpu_before;

static inline int64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static inline void prepare(int argc, char **argv)
{
	wanted = argc > 2 ? WARM_UP + atol(argv[2]) : 0;
	found = calloc((size_t)wanted + 1, sizeof(*found));
	cpu_before = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	if (!found || pipe(pipe_ends))
		exit(3);
}

/* Whether more are to come. */
static inline int took(int64_t ns)
{
	found[measured++] = ns - MS;
	return measured < wanted;
}

static inline void report(void)
{
	long long cpu = (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_before) / wanted;

	for (long i = WARM_UP; i < wanted; i++)
		printf("%lld\n", (long long)found[i]);
	printf("cpu %lld\n", cpu);
}

static inline void *put_all(void *unused)
{
	(void)unused;
	for (int i = 0; i < ITEMS; i++) {
		struct timespec ts = { 0, i * 37 % 21 * 100000 };

		nanosleep(&ts, NULL);
		if (write(pipe_ends[1], &(unsigned char){ (unsigned char)i }, 1) != 1)
			exit(3);
	}
	return NULL;
}

/* Reads one item. Whether more are to come. */
static inline int took_item(void)
{
	static int expected;
	unsigned char item;

	if (read(pipe_ends[0], &item, 1) != 1)
		exit(3);
	if (item != expected)
		printf("%d instead of %d\n", item, expected);
	return ++expected < ITEMS;
}

#endif
