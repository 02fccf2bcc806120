// SPDX-License-Identifier: MIT
/*
 * The papers' sweep: 18 lengths from 250 ms halving to 2 us, of equal weight, slept by each algorithm in turn, in a new
 * random order for each length. How late each sleep ended, and what CPU time it took.
 *
 * usage: bench_sleep [quiet|load [ROUNDS [SEED]]]
 * load: another thread keeps the same CPU busy.
 *
 * Relative miss: the time around the call less the length. Absolute miss: the time after the call less the tick that it
 * was to end at, where one was fixed before the sleep began; else the same. Nothing is left out of either.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>

#include <hpt/sleep.h>

#include "../process/cpus.h"
#include "papers.h"
#include "stamp.h"
#include "stats.h"

#define LENGTHS    18
#define LONGEST_NS 250000000
#define ROUNDS_MAX 10000
#define LATE_NS    1000

/* The commonest kernel's, where it does not say. */
#define HZ_GUESS 250

struct length {
	int64_t ns, ticks;
};

/* Ticks; the target is 0 where the algorithm fixed none. */
struct sample {
	int64_t before, target, after;
	int64_t cpu_ns;
};

typedef void sleep_fn(const struct length *l, struct sample *ret);

static hpt_clock *clk;
static int64_t kernel_tick_ns;
static unsigned rounds, disturbed;
static struct length lengths[LENGTHS];
static struct sample *samples;
static double *scratch; /* one for each sleep of an algorithm */

/* ---- Algorithms ----------------------------------------------------------------------------------------- */

/* Each with its readings right at the call, as in a program: behind a long sleep all further code is in no cache. */

static void sleep_hpt_until(const struct length *l, struct sample *ret)
{
	int r;

	ret->before = bench_stamp(clk);
	ret->target = bench_stamp(clk) + l->ticks;
	r = hpt_sleep_until(clk, ret->target);
	ret->after = bench_stamp(clk); /* nothing before it touches memory that the sleep left cold */
	disturbed += r != 0;
}

static void sleep_hpt_ns(const struct length *l, struct sample *ret)
{
	int r;

	ret->before = bench_stamp(clk);
	r = hpt_sleep_ns(clk, l->ns);
	ret->after = bench_stamp(clk);
	disturbed += r != 0;
}

static void sleep_papers(const struct length *l, struct sample *ret)
{
	ret->before = bench_stamp(clk);
	ret->target = hpt_bench_papers_sleep(clk, l->ns, l->ticks, kernel_tick_ns);
	ret->after = bench_stamp(clk);
}

static void sleep_nano(const struct length *l, struct sample *ret)
{
	struct timespec ts = bench_timespec(l->ns);

	ret->before = bench_stamp(clk);
	nanosleep(&ts, NULL);
	ret->after = bench_stamp(clk);
}

static void sleep_absolute(const struct length *l, struct sample *ret)
{
	struct timespec ts;

	ret->before = bench_stamp(clk);
	ts = bench_timespec(bench_clock_ns(CLOCK_MONOTONIC) + l->ns);
	ret->target = bench_stamp(clk) + l->ticks;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	ret->after = bench_stamp(clk);
}

static void sleep_busy(const struct length *l, struct sample *ret)
{
	ret->before = bench_stamp(clk);
	ret->target = hpt_bench_busy_wait(clk, l->ticks);
	ret->after = bench_stamp(clk);
}

enum { UNTIL, FOR, PAPERS, NANO, ABSOLUTE, BUSY, ALGORITHMS };

/* Busy is the last, and not there under load: beside another busy thread it would measure the scheduler's turns. */
static const struct {
	const char   *name;
	sleep_fn     *sleep;
	unsigned long slack_ns; /* 0: the thread's own */
} algorithms[ALGORITHMS] = {
	[UNTIL] = { "hpt_sleep_until", sleep_hpt_until, 0 },
	[FOR] = { "hpt_sleep_ns", sleep_hpt_ns, 0 },
	[PAPERS] = { "papers' rule", sleep_papers, 0 },
	[NANO] = { "nanosleep", sleep_nano, 0 },
	[ABSOLUTE] = { "clock_nanosleep, slack 1", sleep_absolute, 1 },
	[BUSY] = { "busy wait", sleep_busy, 0 },
};

/* ---- Measurement ---------------------------------------------------------------------------------------- */

static struct sample *sample_of(unsigned algorithm, unsigned round, unsigned length)
{
	return &samples[((size_t)algorithm * rounds + round) * LENGTHS + length];
}

static void take(unsigned algorithm, const struct length *l, struct sample *ret)
{
	int64_t cpu_ns;

	prctl(PR_SET_TIMERSLACK, algorithms[algorithm].slack_ns, 0, 0, 0);
	cpu_ns = bench_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	algorithms[algorithm].sleep(l, ret);
	ret->cpu_ns = bench_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
}

/* Ticks. */
static int64_t miss_of(const struct sample *s, unsigned length, bool is_absolute)
{
	return is_absolute && s->target ? s->after - s->target : s->after - s->before - lengths[length].ticks;
}

static void measure(unsigned n)
{
	unsigned order[ALGORITHMS] = { UNTIL, FOR, PAPERS, NANO, ABSOLUTE, BUSY };

	for (unsigned round = 0; round < rounds; round++)
		for (unsigned length = 0; length < LENGTHS; length++) {
			bench_shuffle(order, n);
			for (unsigned i = 0; i < n; i++)
				take(order[i], &lengths[length], sample_of(order[i], round, length));
		}
	prctl(PR_SET_TIMERSLACK, 0, 0, 0, 0);
}

static _Atomic int stop;

static void *compete(void *arg)
{
	while (!atomic_load_explicit(&stop, memory_order_relaxed))
		arch_relax();
	return arg;
}

/* The competitor inherits our one CPU. */
static int measure_under_load(unsigned n)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, compete, NULL))
		return -1;
	measure(n);
	atomic_store(&stop, 1);
	return pthread_join(thread, NULL);
}

/* ---- Figures -------------------------------------------------------------------------------------------- */

enum quantity { MISS_RELATIVE, MISS_ABSOLUTE, SHARE_LATE, CPU };

/* Lengths of one tick of the kernel and more, shorter ones, or both. */
enum band { LONG, SHORT, ALL };

static const char *const band_names[] = { "lengths >= 1/HZ", "lengths < 1/HZ", "all lengths" };

struct span {
	unsigned first, n; /* rounds */
};

static bool is_in(enum band band, unsigned length)
{
	return band == ALL || (band == LONG) == (lengths[length].ns >= kernel_tick_ns);
}

static double ns_of(int64_t ticks)
{
	/* In thousands, so that the conversion's rounding does not show. */
	return (double)hpt_ticks_to_ns(clk, ticks * 1000) / 1000;
}

/* Misses in nanoseconds into scratch. */
static unsigned collect(enum quantity q, enum band band, unsigned algorithm, struct span over)
{
	unsigned n = 0;

	for (unsigned round = over.first; round < over.first + over.n; round++)
		for (unsigned length = 0; length < LENGTHS; length++) {
			const struct sample *s = sample_of(algorithm, round, length);

			if (is_in(band, length))
				scratch[n++] = ns_of(miss_of(s, length, q != MISS_RELATIVE));
		}
	return n;
}

static double cpu_percent(enum band band, unsigned algorithm, struct span over)
{
	double cpu_ns = 0, wall_ns = 0;

	for (unsigned round = over.first; round < over.first + over.n; round++)
		for (unsigned length = 0; length < LENGTHS; length++) {
			const struct sample *s = sample_of(algorithm, round, length);

			if (!is_in(band, length))
				continue;
			cpu_ns += (double)s->cpu_ns;
			wall_ns += ns_of(s->after - s->before);
		}
	return 100 * cpu_ns / wall_ns;
}

static double figure(enum quantity q, enum band band, unsigned algorithm, struct span over)
{
	struct bench_stats s;

	if (q == CPU)
		return cpu_percent(band, algorithm, over);
	s = bench_stats_of(scratch, collect(q, band, algorithm, over), LATE_NS);
	return q == SHARE_LATE ? 100 * s.above : s.median;
}

static unsigned early(unsigned algorithm)
{
	unsigned n = 0;

	for (unsigned round = 0; round < rounds; round++)
		for (unsigned length = 0; length < LENGTHS; length++) {
			const struct sample *s = sample_of(algorithm, round, length);

			n += miss_of(s, length, false) < 0 || miss_of(s, length, true) < 0;
		}
	return n;
}

/* ---- Report --------------------------------------------------------------------------------------------- */

static void print_misses(enum quantity q, enum band band, unsigned n)
{
	char title[64];

	snprintf(title, sizeof(title), "\n%s miss, %s", q == MISS_RELATIVE ? "relative" : "absolute", band_names[band]);
	bench_stats_print_head(title, "> 1 us");
	for (unsigned algorithm = 0; algorithm < n; algorithm++) {
		struct span over = { 0, rounds };
		struct bench_stats s = bench_stats_of(scratch, collect(q, band, algorithm, over), LATE_NS);

		bench_stats_print(algorithms[algorithm].name, &s);
	}
}

static void print_by_length(unsigned n)
{
	printf("\nmedian absolute miss by length, ns\n%12s", "us");
	for (unsigned algorithm = 0; algorithm < n; algorithm++)
		printf(" %24s", algorithms[algorithm].name);
	for (unsigned length = 0; length < LENGTHS; length++) {
		printf("\n%12.3f", (double)lengths[length].ns / 1e3);
		for (unsigned algorithm = 0; algorithm < n; algorithm++) {
			for (unsigned round = 0; round < rounds; round++)
				scratch[round] = ns_of(miss_of(sample_of(algorithm, round, length), length, true));
			printf(" %24.0f", bench_quantile(scratch, rounds, 0.5));
		}
	}
	printf("\n");
}

static void print_cpu(unsigned n)
{
	const struct span over = { 0, rounds };

	printf("\n%-26s %10s %10s %10s %10s\n", "CPU", "sweep", ">= 1/HZ", "< 1/HZ", "early");
	for (unsigned algorithm = 0; algorithm < n; algorithm++)
		printf("%-26s %8.3f %% %8.3f %% %8.3f %% %10u\n", algorithms[algorithm].name,
		       cpu_percent(ALL, algorithm, over), cpu_percent(LONG, algorithm, over),
		       cpu_percent(SHORT, algorithm, over), early(algorithm));
}

/* Means of the relative call over 100 000 sweeps of 10 000 steps on the machines of 2012 and 2013. */
static void print_published(void)
{
	printf("\npublished by the papers: relative mean >= 1/HZ and < 1/HZ; CPU over the sweep, >= 1/HZ and < 1/HZ\n"
	       "their rule (1/HZ = 1 ms)        258 ns      95 ns      1.892 %%    1.504 %%   98.320 %%\n"
	       "system sleep                  61985 ns   50879 ns      0.016 %%\n"
	       "busy wait                       160 ns      70 ns\n");
}

/* A target of 0 is none; most is in the quantity's unit. */
struct claim {
	const char   *name;
	enum quantity q;
	enum band     band;
	unsigned      algorithm;
	double        ratio, most;
};

/* What to reach: DESIGN, "The numbers to reach". */
static const struct claim claims_quiet[] = {
	{ "CPU", CPU, ALL, UNTIL, 1.0 / 15, 0.35 },
	{ "CPU", CPU, ALL, FOR, 1.0 / 15, 0.35 },
	{ "absolute median", MISS_ABSOLUTE, LONG, UNTIL, 0.35, 80 },
	{ "absolute median", MISS_ABSOLUTE, SHORT, UNTIL, 0.6, 35 },
	{ "relative median", MISS_RELATIVE, LONG, FOR, 0.9, 0 },
	{ "relative median", MISS_RELATIVE, SHORT, FOR, 0.75, 0 },
};

static const struct claim claims_load[] = {
	{ "share > 1 us late", SHARE_LATE, LONG, UNTIL, 0.35, 0 },
	{ "share > 1 us late", SHARE_LATE, LONG, FOR, 0.35, 0 },
	{ "share > 1 us late", SHARE_LATE, SHORT, UNTIL, 0, 0 },
	{ "CPU", CPU, ALL, UNTIL, 0, 0 },
};

static double ratio_of(const struct claim *c, struct span over)
{
	double of_papers = figure(c->q, c->band, PAPERS, over);

	return of_papers > 0 ? figure(c->q, c->band, c->algorithm, over) / of_papers : 0;
}

/* A round's own ratios are coarse, and their quartiles say how far one run may be off. */
static void print_spread(const struct claim *c)
{
	double *ratios = calloc(rounds, sizeof(*ratios));

	for (unsigned round = 0; round < rounds; round++)
		ratios[round] = ratio_of(c, (struct span){ round, 1 });
	printf(" (quartiles of rounds %.3f, %.3f)", bench_quantile(ratios, rounds, 0.25),
	       bench_quantile(ratios, rounds, 0.75));
	free(ratios);
}

static void print_claim(const struct claim *c)
{
	struct span over = { 0, rounds };
	double value = figure(c->q, c->band, c->algorithm, over), ratio = ratio_of(c, over);
	const char *unit = c->q == CPU || c->q == SHARE_LATE ? "%" : "ns";

	printf("%s, %s, %s: %.*f %s", c->name, band_names[c->band], algorithms[c->algorithm].name, c->q == CPU ? 3 : 1,
	       value, unit);
	if (c->most > 0)
		printf(", target %.2f %s", c->most, bench_verdict(value, c->most));
	printf("; %.3f x papers'", ratio);
	print_spread(c);
	if (c->ratio > 0)
		printf(", target %.3f %s", c->ratio, bench_verdict(ratio, c->ratio));
	printf("\n");
}

static void print_learned(void)
{
	struct hpt_sleep_info info;

	if (hpt_sleep_get_info(&info, sizeof(info)))
		return;
	printf("\nhpt: margins at the end %.1f and %.1f us (long waits); %llu waits in the kernel, %llu of them ended "
	       "behind the deadline\n", info.margin_ns / 1e3, info.long_margin_ns / 1e3, (unsigned long long)info.waits,
	       (unsigned long long)info.oversleeps);
}

static void report(unsigned n, bool is_loaded)
{
	const struct claim *claims = is_loaded ? claims_load : claims_quiet;
	size_t count = is_loaded ? sizeof(claims_load) / sizeof(*claims) : sizeof(claims_quiet) / sizeof(*claims);

	for (enum band band = LONG; band <= SHORT; band++)
		for (enum quantity q = MISS_RELATIVE; q <= MISS_ABSOLUTE; q++)
			print_misses(q, band, n);
	print_by_length(n);
	print_cpu(n);
	if (!is_loaded)
		print_published();
	print_learned();
	printf("\n");
	for (size_t i = 0; i < count; i++)
		print_claim(&claims[i]);
}

/* ---- The whole ------------------------------------------------------------------------------------------ */

static void prepare(unsigned n)
{
	uint32_t hz = hpt_kernel_hz();

	kernel_tick_ns = 1000000000 / (hz ? hz : HZ_GUESS);
	samples = calloc((size_t)n * rounds * LENGTHS, sizeof(*samples));
	scratch = calloc((size_t)rounds * LENGTHS, sizeof(*scratch));
	bench_await_rate(clk);
	for (unsigned i = 0; i < LENGTHS; i++) {
		lengths[i].ns = LONGEST_NS >> i;
		lengths[i].ticks = hpt_ns_to_ticks(clk, lengths[i].ns);
	}
	bench_print_rate(clk);
}

static int run(bool is_loaded, unsigned seed)
{
	unsigned n = is_loaded ? BUSY : ALGORITHMS;
	int cpu = allowed_cpu(1) >= 0 ? allowed_cpu(1) : allowed_cpu(0);

	clk = bench_stamp_clock();
	if (!clk)
		return 77;
	if (!pin(cpu)) {
		fprintf(stderr, "bench_sleep: cannot stay on CPU %d\n", cpu);
		return 1;
	}
	prepare(n);
	printf("%u rounds of %d lengths by %u algorithms on CPU %d%s, 1/HZ = %.0f ms: about %.0f s\n", rounds, LENGTHS,
	       n, cpu, is_loaded ? " beside a busy thread" : "", (double)kernel_tick_ns / 1e6, rounds * n * 0.5);
	bench_print_conditions(seed);
	if (is_loaded && measure_under_load(n)) {
		fprintf(stderr, "bench_sleep: no second thread\n");
		return 1;
	}
	if (!is_loaded)
		measure(n);
	report(n, is_loaded);
	if (disturbed)
		printf("%u sleeps of hpt ended with a state\n", disturbed);
	return early(UNTIL) || early(FOR);
}

int main(int argc, char **argv)
{
	bool is_loaded = argc > 1 && !strcmp(argv[1], "load");
	unsigned seed = argc > 3 ? (unsigned)atoi(argv[3]) : 1;

	rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 20;
	if (!rounds || rounds > ROUNDS_MAX || (argc > 1 && !is_loaded && strcmp(argv[1], "quiet"))) {
		fprintf(stderr, "usage: bench_sleep [quiet|load [ROUNDS [SEED]]]\n");
		return 2;
	}
	return run(is_loaded, seed);
}
