/* SPDX-License-Identifier: MIT */
/* Shared by the benchmarks: a stopwatch, order statistics, a shuffled order, and the verdict on a target. */
#ifndef HPT_BENCH_H
#define HPT_BENCH_H

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Keeps a value alive without storing it. */
#define BENCH_USE(v) __asm__ volatile("" : : "r"(v))

static inline int64_t bench_clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static inline int64_t bench_ns(void)
{
	return bench_clock_ns(CLOCK_MONOTONIC_RAW);
}

static inline struct timespec bench_timespec(int64_t ns)
{
	return (struct timespec){ .tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000) };
}

/* Returns at once if that time has passed. */
static inline void bench_sleep_until(int64_t raw_ns)
{
	int64_t left_ns;

	while ((left_ns = raw_ns - bench_ns()) > 0) {
		struct timespec ts = bench_timespec(left_ns);

		nanosleep(&ts, NULL);
	}
}

/* Pins the thread to its current CPU: a migration in the middle of a round would compare two CPUs. */
static inline void bench_pin(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static inline int bench_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts v and returns its q-quantile, q in 0..1. */
static inline double bench_quantile(double *v, unsigned n, double q)
{
	qsort(v, n, sizeof(*v), bench_compare);
	return v[(unsigned)(q * (n - 1) + 0.5)];
}

static inline void bench_shuffle(unsigned *order, unsigned n)
{
	for (unsigned i = n; i > 1; i--) {
		unsigned j = (unsigned)random() % i, t = order[i - 1];

		order[i - 1] = order[j];
		order[j] = t;
	}
}

static inline const char *bench_verdict(double value, double target)
{
	return target <= 0 ? "" : value <= target ? "met" : "MISSED";
}

#endif
