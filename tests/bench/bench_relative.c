// SPDX-License-Identifier: MIT
/*
 * How late sleeps of a duration end, of 0.25 s halved down to 1 us: hpt_sleep_ns() beside the papers' rule in a shared
 * library and in the program's own text. Each round takes the lengths in their order, and the ways of a length in turn,
 * so that a way finds its code cold after the sleeps of the others.
 *
 * usage: bench_relative [ROUNDS]
 */
#include <stdbool.h>

#include <hpt/hpt.h>

#include "bench.h"
#include "papers_rule.h"

#define LENGTHS    19
#define LONGEST_NS INT64_C(250000000)
#define LEAST_NS   1000
#define ROUNDS_MAX 10000

/* Lengths of a jiffy and more, and less. */
enum { LONG, SHORT, BANDS };
enum { HPT, LIBRARY, TEXT, WAYS };

static const char *const names[WAYS] = { "hpt_sleep_ns", "the papers' rule, shared library", "the same, own text" };

/* DESIGN, "The numbers to reach": of the rule in a shared library. */
static const double targets[BANDS] = { 0.65, 1.0 };

static struct papers_sleep papers;
static double ticks_per_ns;
static double *miss_ns[WAYS][BANDS];
static unsigned n_missed[WAYS][BANDS], n_early[WAYS];

static void sleep_so(unsigned way)
{
	if (way == HPT)
		hpt_sleep_ns(NULL, papers.ns);
	else if (way == LIBRARY)
		papers_rule(&papers);
	else
		papers_rule_inline(&papers);
}

static void measure(unsigned way, int64_t ns)
{
	unsigned band = ns < papers.jiffy_ns;
	uint64_t before, after;
	double miss;

	papers.ns = ns;
	papers.ticks = (int64_t)((double)ns * ticks_per_ns);
	before = papers_tick();
	sleep_so(way);
	after = papers_tick();
	miss = (double)(after - before) / ticks_per_ns - (double)ns;
	n_early[way] += miss < -1;
	miss_ns[way][band][n_missed[way][band]++] = miss;
}

static void measure_round(unsigned round)
{
	for (unsigned length = 0; length < LENGTHS; length++) {
		int64_t ns = LONGEST_NS >> length;

		for (unsigned i = 0; i < WAYS; i++)
			measure((i + round) % WAYS, ns < LEAST_NS ? LEAST_NS : ns);
	}
}

/* The counter's rate against CLOCK_MONOTONIC_RAW, within 0.2 s. */
static void calibrate(void)
{
	int64_t begin_ns = bench_ns(), end_ns;
	uint64_t begin = papers_tick();

	bench_sleep_until(begin_ns + 200000000);
	end_ns = bench_ns();
	ticks_per_ns = (double)(papers_tick() - begin) / (double)(end_ns - begin_ns);
}

static void report(void)
{
	static const char *const bands[BANDS] = { "1/HZ and more", "less than 1/HZ" };

	for (unsigned band = 0; band < BANDS; band++) {
		double p50[WAYS], ratio;

		printf("sleeps of %s\n", bands[band]);
		for (unsigned way = 0; way < WAYS; way++) {
			double *v = miss_ns[way][band];
			unsigned n = n_missed[way][band];

			p50[way] = bench_quantile(v, n, 0.5);
			printf("  %-34s p25 %6.0f  p50 %6.0f  p75 %6.0f ns\n", names[way], bench_quantile(v, n, 0.25),
			       p50[way], bench_quantile(v, n, 0.75));
		}
		ratio = p50[HPT] / p50[LIBRARY];
		printf("  hpt_sleep_ns is %.2f x the rule in a shared library (at most %.2f: %s)\n", ratio,
		       targets[band], bench_verdict(ratio, targets[band]));
	}
	printf("early: %u of hpt_sleep_ns\n", n_early[HPT]);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 10;
	struct timespec jiffy;

	if (argc > 2 || rounds < 1 || rounds > ROUNDS_MAX) {
		fprintf(stderr, "usage: bench_relative [ROUNDS]\n");
		return 2;
	}
	if (!papers_tick()) {
		fprintf(stderr, "bench_relative: programs may read no counter here\n");
		return 77;
	}
	/* Its resolution is one jiffy. */
	clock_getres(CLOCK_MONOTONIC_COARSE, &jiffy);
	papers.jiffy_ns = jiffy.tv_nsec;
	for (unsigned way = 0; way < WAYS; way++)
		for (unsigned band = 0; band < BANDS; band++)
			miss_ns[way][band] = calloc((size_t)rounds * LENGTHS, sizeof(double));
	calibrate();
	for (unsigned i = 0; i < (unsigned)rounds; i++)
		measure_round(i);
	report();
	return n_early[HPT] != 0;
}
