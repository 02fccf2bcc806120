// SPDX-License-Identifier: MIT
/*
 * Cost of the reads, beside what people use today, in one process: every round runs all candidates
 * in a new random order, ratios are taken within a round, and their median is the figure.
 *
 * usage: bench_read [ROUNDS [READS]]
 */
#include <hpt/hpt.h>

#include "bench.h"

#if defined(__x86_64__) || defined(__i386__)
#include "arch/x86.h"
#include "floor.h"
#endif

#define ROUNDS_MAX 100000

typedef void loop_fn(unsigned reads);

static hpt_clock *tsc, *os;

static int64_t libc_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

#define LOOP(name, expression)                              \
	static __attribute__((noinline)) void name(unsigned reads) \
	{                                                   \
		for (unsigned i = 0; i < reads; i++)        \
			BENCH_USE(expression);              \
	}

#ifdef HPT_ARCH_X86
LOOP(loop_rdtsc, arch_rdtsc())
LOOP(loop_rdtscp, arch_rdtscp())
LOOP(loop_floor_rdtsc, hpt_bench_rdtsc())
LOOP(loop_floor_rdtscp, hpt_bench_rdtscp())
#endif
LOOP(loop_gettime, libc_ns(CLOCK_MONOTONIC))
LOOP(loop_realtime, libc_ns(CLOCK_REALTIME))
LOOP(loop_now, hpt_now(tsc))
LOOP(loop_now_default, hpt_now(NULL))
LOOP(loop_unordered, hpt_now_unordered(tsc))
LOOP(loop_now_ns, hpt_now_ns(tsc))
LOOP(loop_now_ns_default, hpt_now_ns(NULL))
LOOP(loop_os, hpt_now(os))
LOOP(loop_os_ns, hpt_now_ns(os))
LOOP(loop_unix, hpt_now_unix_ns(tsc))
LOOP(loop_to_ns, hpt_ticks_to_ns(tsc, i))
LOOP(loop_to_ticks, hpt_ns_to_ticks(tsc, i))

enum { NONE = -1, RDTSC, RDTSCP, GETTIME, REALTIME };

/* base is the row that the ratio and its target (DESIGN, "The numbers to reach") refer to. */
static const struct {
	const char *name;
	loop_fn    *loop;
	int         base;
	double      target;
	int         base2;
	double      target2;
} rows[] = {
#ifdef HPT_ARCH_X86
	[RDTSC] = { "rdtsc (bare)", loop_rdtsc, NONE, 0, NONE, 0 },
	[RDTSCP] = { "rdtscp (bare)", loop_rdtscp, NONE, 0, NONE, 0 },
#endif
	[GETTIME] = { "clock_gettime(MONOTONIC)", loop_gettime, NONE, 0, NONE, 0 },
	[REALTIME] = { "clock_gettime(REALTIME)", loop_realtime, NONE, 0, NONE, 0 },
#ifdef HPT_ARCH_X86
	{ "rdtsc in a shared library", loop_floor_rdtsc, RDTSC, 0, NONE, 0 },
	{ "rdtscp in a shared library", loop_floor_rdtscp, RDTSCP, 0, NONE, 0 },
#endif
	{ "hpt_now(tsc)", loop_now, RDTSCP, 1.05, GETTIME, 0.83 },
	{ "hpt_now(NULL)", loop_now_default, RDTSCP, 1.05, GETTIME, 0.83 },
	{ "hpt_now_unordered(tsc)", loop_unordered, RDTSC, 1.02, GETTIME, 0 },
	{ "hpt_now_ns(tsc)", loop_now_ns, RDTSCP, 1.12, GETTIME, 0.89 },
	{ "hpt_now_ns(NULL)", loop_now_ns_default, RDTSCP, 1.12, GETTIME, 0.89 },
	{ "hpt_now(os)", loop_os, GETTIME, 1.07, NONE, 0 },
	{ "hpt_now_ns(os)", loop_os_ns, GETTIME, 0, NONE, 0 },
	{ "hpt_now_unix_ns(tsc)", loop_unix, REALTIME, 0, NONE, 0 },
	{ "hpt_ticks_to_ns(tsc)", loop_to_ns, NONE, 0, NONE, 0 },
	{ "hpt_ns_to_ticks(tsc)", loop_to_ticks, NONE, 0, NONE, 0 },
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static double *cost[ROWS];

static void measure(unsigned rounds, unsigned reads)
{
	unsigned order[ROWS];

	for (unsigned i = 0; i < ROWS; i++)
		order[i] = i;
	for (unsigned round = 0; round < rounds; round++) {
		bench_shuffle(order, ROWS);
		for (unsigned i = 0; i < ROWS; i++) {
			unsigned row = order[i];
			int64_t start;

			if (!rows[row].loop)
				continue;
			rows[row].loop(reads / 16); /* warm: caches and branch predictors of this loop */
			start = bench_ns();
			rows[row].loop(reads);
			cost[row][round] = (double)(bench_ns() - start) / reads;
		}
	}
}

static void print_ratio(unsigned row, int base, double target, unsigned rounds, double *scratch)
{
	double median;

	if (base == NONE || !rows[base].loop)
		return;
	for (unsigned i = 0; i < rounds; i++)
		scratch[i] = cost[row][i] / cost[base][i];
	median = bench_quantile(scratch, rounds, 0.5);
	printf("   %.3f x %s (p10 %.3f, p90 %.3f)", median, rows[base].name, bench_quantile(scratch, rounds, 0.1),
	       bench_quantile(scratch, rounds, 0.9));
	if (target > 0)
		printf(" target %.2f %s", target, bench_verdict(median, target));
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1500, reads = argc > 2 ? (unsigned)atoi(argv[2]) : 3000;
	double *scratch;

	if (!rounds || rounds > ROUNDS_MAX || reads < 16) {
		fprintf(stderr, "usage: bench_read [ROUNDS [READS]]\n");
		return 2;
	}
	if (hpt_clock_open(HPT_SOURCE_TSC, &tsc) || hpt_clock_open(HPT_SOURCE_OS, &os)) {
		printf("no TSC here: nothing to compare\n");
		return 77;
	}
	bench_pin();
	for (unsigned i = 0; i < ROWS; i++)
		cost[i] = calloc(rounds, sizeof(double));
	scratch = calloc(rounds, sizeof(double));
	hpt_now_ns(tsc); /* the first conversion waits; none of the measured ones does */
	hpt_now_ns(NULL);
	measure(rounds, reads);
	printf("%u rounds of %u reads, one CPU, random order; ns a read, median\n", rounds, reads);
	for (unsigned row = 0; row < ROWS; row++) {
		if (!rows[row].loop)
			continue;
		for (unsigned i = 0; i < rounds; i++)
			scratch[i] = cost[row][i];
		printf("%-27s %6.2f", rows[row].name, bench_quantile(scratch, rounds, 0.5));
		print_ratio(row, rows[row].base, rows[row].target, rounds, scratch);
		print_ratio(row, rows[row].base2, rows[row].target2, rounds, scratch);
		printf("\n");
	}
	return 0;
}
