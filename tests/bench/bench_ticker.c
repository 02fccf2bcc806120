// SPDX-License-Identifier: MIT
/*
 * A period kept by hpt_ticker_wait() and by clock_nanosleep() to absolute times, in turns of one second: how late after
 * the tick each call returned, what CPU time that took, and whether the ticks moved.
 *
 * usage: bench_ticker [SECONDS [HZ...]]
 *
 * Tick n is due n periods after the start, on the line that each follows: hpt_now_ns() or CLOCK_MONOTONIC. All ticks
 * of a run count from one start, and those of the others' turns go by.
 */
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include <hpt/sleep.h>

#include "../process/cpus.h"
#include "stamp.h"
#include "stats.h"

#define NS_PER_S    INT64_C(1000000000)
#define SECONDS_MAX 3600
#define HZ_MAX      100000
#define STARTS      1000

/* What the targets are of. */
#define TARGET_HZ      1000
#define TARGET_NS      60
#define TARGET_PERCENT 7
#define TARGET_DRIFT   1000

enum { TICKER, KERNEL, KERNEL_SLACK_1, KEEPERS };

struct keeper {
	const char   *name;
	bool          is_ours;
	unsigned long slack_ns; /* 0: the thread's own */
	int64_t       start_ns; /* on its own line */
	int64_t       tick;     /* the latest that it ended on */
	double       *late_ns;
	unsigned      n;
	int64_t       cpu_ns, wall_ns;
	uint64_t      missed;
	double        first_ns, last_ns; /* the least lateness in its first turn, and in its latest */
};

static hpt_ticker *ticker;
static int64_t period_ns;
static unsigned disturbed;

/* ---- Ticks ---------------------------------------------------------------------------------------------- */

static int64_t now_ns(const struct keeper *k)
{
	return k->is_ours ? hpt_now_ns(NULL) : bench_clock_ns(CLOCK_MONOTONIC);
}

/*
 * What the clock said when a stamp was taken: a read of it behind a sleep takes up to 0.3 us by itself, for it finds
 * nothing in the caches, which is no lateness of the ticker's.
 */
static struct {
	hpt_clock *clk;
	int64_t stamp, ns;
} pair;

static void take_pair(void)
{
	int64_t least = INT64_MAX;

	for (int i = 0; i < 100; i++) {
		int64_t before = bench_stamp(pair.clk), ns = hpt_now_ns(NULL), took = bench_stamp(pair.clk) - before;

		if (took >= least)
			continue;
		least = took;
		pair.stamp = before + took / 2;
		pair.ns = ns;
	}
}

static int64_t ns_of(int64_t stamp)
{
	return pair.ns + hpt_ticks_to_ns(pair.clk, stamp - pair.stamp);
}

/*
 * As HPT_TICKER_SKIP has it: ticks that went by are counted, and if one is due already the latest is taken at once. Says
 * when it ended, before anything that the sleep left cold is touched.
 */
static uint64_t await_tick(struct keeper *k, int64_t *ret_ended_ns)
{
	int64_t due = (now_ns(k) - k->start_ns) / period_ns;
	uint64_t missed = due > k->tick ? (uint64_t)(due - k->tick - 1) : 0;

	if (k->is_ours) {
		int r = hpt_ticker_wait(ticker, &missed);
		int64_t stamp = bench_stamp(pair.clk);

		*ret_ended_ns = ns_of(stamp);
		disturbed += r != 0;
	} else {
		struct timespec ts = bench_timespec(k->start_ns + (k->tick + (int64_t)missed + 1) * period_ns);

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
		*ret_ended_ns = bench_clock_ns(CLOCK_MONOTONIC);
	}
	k->tick += (int64_t)missed + 1;
	return missed;
}

/* The first calls of a turn take what went by before. */
static void take_turn(struct keeper *k, unsigned ticks)
{
	double least = 1e18;
	int64_t cpu_ns, wall_ns, ended_ns;

	prctl(PR_SET_TIMERSLACK, k->slack_ns, 0, 0, 0);
	take_pair();
	await_tick(k, &ended_ns);
	await_tick(k, &ended_ns);
	cpu_ns = bench_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	wall_ns = bench_ns();
	for (unsigned i = 0; i < ticks; i++) {
		double late;

		k->missed += await_tick(k, &ended_ns);
		late = (double)(ended_ns - k->start_ns - k->tick * period_ns);
		k->late_ns[k->n++] = late;
		least = late < least ? late : least;
	}
	k->cpu_ns += bench_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
	k->wall_ns += bench_ns() - wall_ns;
	k->last_ns = least;
	if (k->n == ticks)
		k->first_ns = least;
}

/*
 * The ticker's start lies within the call that makes it: the shortest of many such calls tells it best. Returns what
 * that took, and when it began; -1: no memory.
 */
static int64_t start_ticker(int64_t *ret_ns)
{
	int64_t least = INT64_MAX;

	for (unsigned i = 0; i < STARTS; i++) {
		hpt_ticker *made;
		int64_t before = hpt_now_ns(NULL), took;

		if (hpt_ticker_new(NULL, period_ns, &made))
			return -1;
		took = hpt_now_ns(NULL) - before;
		if (took < least) {
			hpt_ticker *other = ticker;

			ticker = made;
			made = other;
			*ret_ns = before;
			least = took;
		}
		hpt_ticker_free(made);
	}
	return least;
}

/* No tick came before its time: that bounds the start too. Takes the middle; returns how far off it may be. */
static double settle_start(struct keeper *k, int64_t took_ns)
{
	double doubt = (double)took_ns;

	for (unsigned i = 0; i < k->n; i++)
		doubt = k->late_ns[i] < doubt ? k->late_ns[i] : doubt;
	for (unsigned i = 0; i < k->n; i++)
		k->late_ns[i] -= doubt / 2;
	return doubt / 2;
}

/* ---- Report --------------------------------------------------------------------------------------------- */

static void print_keeper(const struct keeper *k)
{
	struct bench_stats s = bench_stats_of(k->late_ns, k->n, 1000);

	bench_stats_print(k->name, &s);
}

static void print_cost(const struct keeper *k)
{
	printf("%-26s %8.2f %% %10llu %+10.0f ns\n", k->name, 100.0 * (double)k->cpu_ns / (double)k->wall_ns,
	       (unsigned long long)k->missed, k->last_ns - k->first_ns);
}

static void judge(const struct keeper *k, double doubt_ns)
{
	double median = bench_quantile(k->late_ns, k->n, 0.5), drift = k->last_ns - k->first_ns;
	double percent = 100.0 * (double)k->cpu_ns / (double)k->wall_ns;

	printf("%s: median %.0f +- %.0f ns, target %d %s", k->name, median, doubt_ns, TARGET_NS,
	       bench_verdict(median, TARGET_NS));
	printf("; CPU %.2f %%, target %d %s", percent, TARGET_PERCENT, bench_verdict(percent, TARGET_PERCENT));
	printf("; end drift %+.0f ns, target %d %s\n", drift, TARGET_DRIFT,
	       bench_verdict(drift < 0 ? -drift : drift, TARGET_DRIFT));
}

static void report(const struct keeper *keepers, unsigned hz, unsigned seconds, double doubt_ns)
{
	char title[96];

	snprintf(title, sizeof(title), "\n%u Hz for %u s each: lateness", hz, seconds);
	bench_stats_print_head(title, "> 1 us");
	for (unsigned i = 0; i < KEEPERS; i++)
		print_keeper(&keepers[i]);
	printf("%-26s %10s %10s %13s\n", "", "CPU", "missed", "end drift");
	for (unsigned i = 0; i < KEEPERS; i++)
		print_cost(&keepers[i]);
	if (hz == TARGET_HZ)
		judge(&keepers[TICKER], doubt_ns);
	else
		printf("latenesses of %s are known to +- %.0f ns\n", keepers[TICKER].name, doubt_ns);
	if (disturbed)
		printf("%u waits for the ticker ended with a state: its ticks may have moved\n", disturbed);
	fflush(stdout);
}

/* ---- The whole ------------------------------------------------------------------------------------------ */

/* 0 or 1. */
static int run(unsigned hz, unsigned seconds)
{
	struct keeper keepers[KEEPERS] = {
		[TICKER] = { .name = "hpt_ticker_wait", .is_ours = true },
		[KERNEL] = { .name = "clock_nanosleep" },
		[KERNEL_SLACK_1] = { .name = "clock_nanosleep, slack 1", .slack_ns = 1 },
	};
	unsigned order[KEEPERS] = { TICKER, KERNEL, KERNEL_SLACK_1 };
	int64_t took_ns;

	ticker = NULL;
	disturbed = 0;
	period_ns = NS_PER_S / hz;
	took_ns = start_ticker(&keepers[TICKER].start_ns);
	if (took_ns < 0)
		return 1;
	keepers[KERNEL].start_ns = keepers[KERNEL_SLACK_1].start_ns = bench_clock_ns(CLOCK_MONOTONIC);
	for (unsigned i = 0; i < KEEPERS; i++)
		keepers[i].late_ns = calloc((size_t)seconds * hz, sizeof(double));
	for (unsigned second = 0; second < seconds; second++) {
		bench_shuffle(order, KEEPERS);
		for (unsigned i = 0; i < KEEPERS; i++)
			take_turn(&keepers[order[i]], hz);
	}
	prctl(PR_SET_TIMERSLACK, 0, 0, 0, 0);
	report(keepers, hz, seconds, settle_start(&keepers[TICKER], took_ns));
	for (unsigned i = 0; i < KEEPERS; i++)
		free(keepers[i].late_ns);
	hpt_ticker_free(ticker);
	return 0;
}

/* Those of the command line, or the one that the targets are of. */
static unsigned hz_of(int argc, char **argv, int i)
{
	return argc > 2 ? (unsigned)atoi(argv[i]) : TARGET_HZ;
}

static bool are_rates(int argc, char **argv)
{
	for (int i = 2; i < argc; i++)
		if (hz_of(argc, argv, i) < 3 || hz_of(argc, argv, i) > HZ_MAX)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	unsigned seconds = argc > 1 ? (unsigned)atoi(argv[1]) : 10;
	int last = argc > 3 ? argc : 3, cpu = allowed_cpu(1) >= 0 ? allowed_cpu(1) : allowed_cpu(0);

	if (!seconds || seconds > SECONDS_MAX || !are_rates(argc, argv)) {
		fprintf(stderr, "usage: bench_ticker [SECONDS [HZ...]], 3 to %d Hz\n", HZ_MAX);
		return 2;
	}
	if (!pin(cpu)) {
		fprintf(stderr, "bench_ticker: cannot stay on CPU %d\n", cpu);
		return 1;
	}
	pair.clk = bench_stamp_clock();
	if (!pair.clk)
		return 0;
	bench_await_rate(pair.clk);
	hpt_now_ns(NULL);
	printf("turns of a second on CPU %d: about %u s\n", cpu, (unsigned)(last - 2) * seconds * KEEPERS);
	bench_print_conditions(1);
	for (int i = 2; i < last; i++)
		if (run(hz_of(argc, argv, i), seconds)) {
			fprintf(stderr, "bench_ticker: no memory\n");
			return 1;
		}
	return 0;
}
