// SPDX-License-Identifier: MIT
/* Measures and prints sleeps of peers: sleeps.h. */
#include "sleeps.h"

#include <stdbool.h>

#include "../bench.h"
#include "cli/stopwatch.h"

/* The number of rounds, as a multiple of those of the longest sleep: a p99 needs a hundred where they are cheap. */
static const struct {
	int64_t  ns;
	unsigned times;
} lengths[] = { { 50000, 12 }, { 1000000, 8 }, { 10000000, 3 }, { 100000000, 1 } };

#define LENGTHS (sizeof(lengths) / sizeof(lengths[0]))

/* One peer's sleeps of one length. */
struct peer_sleeps {
	double  *miss_us; /* by round */
	unsigned early;
	int64_t  cpu_ns, slept_ps;
};

static bool can(const struct hpt_peer *p, int64_t ns)
{
	return ns % p->unit_ns == 0;
}

static void take(const struct stopwatch *w, const struct hpt_peer *p, int64_t ns, struct peer_sleeps *to,
		 unsigned round)
{
	int64_t cpu_ns = bench_clock_ns(CLOCK_THREAD_CPUTIME_ID), ticks, ps;
	hpt_clock *clk = w->clk;
	bool is_tsc = w->is_tsc;

	ticks = stopwatch_by(is_tsc, clk);
	p->sleep(ns);
	ticks = stopwatch_by(is_tsc, clk) - ticks; /* nothing before it touches memory that the sleep left cold */
	to->cpu_ns += bench_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
	ps = stopwatch_to_ps(clk, ticks);
	to->slept_ps += ps;
	to->early += ps < ns * 1000;
	to->miss_us[round] = (double)(ps - ns * 1000) / 1e6;
}

static void print(const struct hpt_peer *p, struct peer_sleeps *of, unsigned rounds)
{
	printf("%-29s %12.3f %12.3f %12.3f %8u %8.2f %%\n", p->name, bench_quantile(of->miss_us, rounds, 0.5),
	       bench_quantile(of->miss_us, rounds, 0.99), bench_quantile(of->miss_us, rounds, 1), of->early,
	       1e5 * (double)of->cpu_ns / (double)of->slept_ps);
}

static void compare(const struct stopwatch *w, const struct hpt_peer *const *peers, unsigned n, int64_t ns,
		    unsigned rounds)
{
	struct peer_sleeps *all = calloc(n, sizeof(*all));
	unsigned *order = calloc(n, sizeof(*order));

	for (unsigned i = 0; i < n; i++) {
		order[i] = i;
		all[i].miss_us = calloc(rounds, sizeof(double));
	}
	for (unsigned round = 0; round < rounds; round++) {
		bench_shuffle(order, n);
		for (unsigned i = 0; i < n; i++)
			if (can(peers[order[i]], ns))
				take(w, peers[order[i]], ns, &all[order[i]], round);
	}
	printf("\nsleeps of %g ms, %u of each: miss\n%-29s %12s %12s %12s %8s %10s\n", (double)ns / 1e6, rounds, "us",
	       "median", "p99", "max", "early", "CPU");
	for (unsigned i = 0; i < n; i++) {
		if (can(peers[i], ns))
			print(peers[i], &all[i], rounds);
		else
			printf("%-29s cannot sleep for that length\n", peers[i]->name);
		free(all[i].miss_us);
	}
	fflush(stdout);
	free(all);
	free(order);
}

void bench_compare_sleeps(const struct hpt_peer *const *peers, unsigned n, unsigned sleeps)
{
	struct stopwatch w = stopwatch_finest();

	stopwatch_await_rate(w.clk);
	for (unsigned i = 0; i < LENGTHS; i++)
		compare(&w, peers, n, lengths[i].ns, sleeps * lengths[i].times);
}
