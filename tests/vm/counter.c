// SPDX-License-Identifier: MIT
/*
 * Runs inside an emulated machine without the hpt command: prints as JSON what the library chose and why, and what its
 * reads and sleeps are like there.
 *
 * usage: counter sources
 *        counter info|open|cost SOURCE
 *        counter causality|sleeps SOURCE NUMBER
 * SOURCE is "default", or a source to open. With FORBID_COUNTER=1 in the environment PR_SET_TSC forbids the counter
 * before the library is initialised.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

/* The cheapest of these rounds counts: an emulator on a busy host disturbs most of them. */
#define ROUNDS          100
#define CALLS_PER_ROUND 400

/* Lengths of sleeps: shorter and longer than what a thread spins for, and no multiple of a counter's period. */
#define SHORTEST_NS 7001
#define LONGEST_NS  500000

/* 101: before the library's own constructor. */
__attribute__((constructor(101))) static void forbid_counter(void)
{
	const char *forbid = getenv("FORBID_COUNTER");

	if (forbid && *forbid == '1' && prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0)) {
		perror("PR_SET_TSC");
		_exit(FAILED);
	}
}

/* ---- What was chosen ------------------------------------------------------------------------------------- */

static void print_source(uint32_t id)
{
	struct hpt_source_info s;

	if (hpt_source_get_info(id, &s, sizeof(s)))
		exit(FAILED);
	printf("{\"name\": \"%s\", \"usable\": %s, \"chosen\": %s, \"stage\": \"%s\", \"errno\": %" PRIu32
	       ", \"errno_name\": \"%s\", \"reason_code\": %" PRIu32 ", \"cost_mean_ps\": %" PRIu64 "}",
	       s.name, s.usable ? "true" : "false", s.chosen ? "true" : "false", hpt_stage_name(s.stage), s.error,
	       s.error ? strerrorname_np((int)s.error) : "", s.reason, s.cost_mean_ps);
}

static int sources(const char *source, const char *number)
{
	(void)source, (void)number;
	hpt_now(NULL);
	printf("{\"sources\": [");
	for (uint32_t id = HPT_SOURCE_TSC; id < HPT_SOURCE_MANUAL; id++) {
		printf("%s", id == HPT_SOURCE_TSC ? "" : ", ");
		print_source(id);
	}
	puts("]}");
	return 0;
}

static int info(const char *source, const char *number)
{
	hpt_clock *clk = open_clock(source);
	struct hpt_clock_info i;

	(void)number;
	if (hpt_clock_get_info(clk, &i, sizeof(i)))
		return FAILED;
	printf("{\"source\": \"%s\", \"reason_code\": %" PRIu32 ", \"state\": %" PRIu32 ", \"flags\": %" PRIu32
	       ", \"counter_bits\": %" PRIu32 ", \"frequency_uhz\": %" PRIu64 ", \"origin\": \"%s\""
	       ", \"granularity_ns\": %" PRIu32 ", \"clocksource\": \"%s\"}\n", hpt_source_name(i.source), i.reason,
	       i.state, i.flags, i.counter_bits, i.frequency_uhz, hpt_origin_name(i.frequency_origin), i.granularity_ns,
	       i.kernel_clocksource);
	return 0;
}

static int open_result(const char *source, const char *number)
{
	hpt_clock *clk = NULL;
	int r = hpt_clock_open(source_by_name(source), 0, &clk);

	(void)number;
	printf("{\"errno\": %d, \"clock\": %s}\n", -r, clk ? "true" : "false");
	hpt_clock_close(clk);
	return 0;
}

/* ---- Costs ----------------------------------------------------------------------------------------------- */

static void nothing(hpt_clock *clk) { (void)clk; }
static void read_ticks(hpt_clock *clk) { (void)hpt_now(clk); }
static void read_unordered(hpt_clock *clk) { (void)hpt_now_unordered(clk); }
static void read_ns(hpt_clock *clk) { (void)hpt_now_ns(clk); }
static void read_ns_unordered(hpt_clock *clk) { (void)hpt_now_ns_unordered(clk); }
static void read_monotonic(hpt_clock *clk) { (void)hpt_now_monotonic_ns(clk); }

static void read_kernel(hpt_clock *clk)
{
	struct timespec ts;

	(void)clk;
	clock_gettime(CLOCK_MONOTONIC, &ts);
}

static struct candidate {
	const char *name;
	void      (*run)(hpt_clock *clk);
	int64_t   best_ns;
} candidates[] = {
	{ "nothing", nothing, INT64_MAX }, /* what the measurement itself takes */
	{ "hpt_now", read_ticks, INT64_MAX }, { "hpt_now_unordered", read_unordered, INT64_MAX },
	{ "hpt_now_ns", read_ns, INT64_MAX }, { "hpt_now_ns_unordered", read_ns_unordered, INT64_MAX },
	{ "hpt_now_monotonic_ns", read_monotonic, INT64_MAX }, { "clock_gettime", read_kernel, INT64_MAX },
};

#define N_CANDIDATES (sizeof(candidates) / sizeof(candidates[0]))

static void run_round(hpt_clock *clk, struct candidate *c)
{
	int64_t begun_ns = clock_ns(CLOCK_MONOTONIC), took_ns;

	for (int i = 0; i < CALLS_PER_ROUND; i++)
		c->run(clk);
	took_ns = clock_ns(CLOCK_MONOTONIC) - begun_ns;
	if (took_ns < c->best_ns)
		c->best_ns = took_ns;
}

/* Picoseconds a call. */
static int cost(const char *source, const char *number)
{
	hpt_clock *clk = open_clock(source);

	(void)number;
	if (!clk)
		clk = hpt_clock_default();
	for (int round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < N_CANDIDATES; i++)
			run_round(clk, &candidates[i]);
	for (size_t i = 1; i < N_CANDIDATES; i++)
		printf("%s\"%s\": %" PRId64, i > 1 ? ", " : "{", candidates[i].name,
		       (candidates[i].best_ns - candidates[0].best_ns) * 1000 / CALLS_PER_ROUND);
	puts("}");
	return 0;
}

/* ---- Causality: a read that happens after another processor's read is not smaller -------------------------- */

struct relay {
	hpt_clock         *clk;
	uint32_t          messages;
	_Atomic uint32_t  turn;    /* even: the main thread's */
	int64_t           ticks;   /* the latest reader's; the turn publishes it */
	uint32_t          back[2]; /* messages that came from the future, by receiver */
};

static void pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu % (unsigned int)sysconf(_SC_NPROCESSORS_ONLN), &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("sched_setaffinity");
		exit(FAILED);
	}
}

static void run_relay(struct relay *r, uint32_t me)
{
	pin(me);
	for (uint32_t i = 0; i < r->messages; i++) {
		int64_t now;

		while (atomic_load_explicit(&r->turn, memory_order_acquire) != 2 * i + me)
			sched_yield();
		now = hpt_now(r->clk);
		if (now < r->ticks)
			r->back[me]++;
		r->ticks = now;
		atomic_store_explicit(&r->turn, 2 * i + me + 1, memory_order_release);
	}
}

static void *run_second(void *arg)
{
	run_relay(arg, 1);
	return NULL;
}

static int causality(const char *source, const char *number)
{
	struct relay r = { .clk = open_clock(source), .messages = (uint32_t)atoi(number), .ticks = INT64_MIN };
	pthread_t second;

	if (pthread_create(&second, NULL, run_second, &r))
		return FAILED;
	run_relay(&r, 0);
	pthread_join(second, NULL);
	printf("{\"messages\": %" PRIu32 ", \"back\": %" PRIu32 "}\n", 2 * r.messages, r.back[0] + r.back[1]);
	return 0;
}

/* ---- Sleeps ---------------------------------------------------------------------------------------------- */

struct sleeps {
	uint32_t done, failed, early; /* early: by the clock's ticks ... */
	uint32_t early_raw;           /* ... and by CLOCK_MONOTONIC_RAW, by more than 0.1 % and the slack */
	int64_t  slack_ns;            /* the steps of the two clocks */
};

static void sleep_once(hpt_clock *clk, struct sleeps *s, int64_t ns)
{
	int64_t raw_ns = clock_ns(CLOCK_MONOTONIC_RAW), ticks = hpt_ns_to_ticks(clk, ns), before = hpt_now(clk);
	int r = s->done % 2 ? hpt_sleep_until_ticks(clk, before + ticks) : hpt_sleep_ns(clk, ns);
	int64_t after = hpt_now(clk);

	s->done++;
	s->failed += r != 0;
	s->early += after - before < ticks;
	s->early_raw += clock_ns(CLOCK_MONOTONIC_RAW) - raw_ns < ns - ns / 1000 - s->slack_ns;
}

static int64_t slack_ns(hpt_clock *clk)
{
	struct timespec step = { 0 };
	struct hpt_clock_info i;

	if (hpt_clock_get_info(clk, &i, sizeof(i)))
		exit(FAILED);
	clock_getres(CLOCK_MONOTONIC_RAW, &step);
	return 2 * (i.granularity_ns + step.tv_nsec) + 2000;
}

static int sleeps(const char *source, const char *number)
{
	hpt_clock *clk = open_clock(source);
	struct sleeps s = { .slack_ns = slack_ns(clk) };
	uint32_t n = (uint32_t)atoi(number);

	for (uint32_t i = 0; i < n; i++)
		sleep_once(clk, &s, SHORTEST_NS + (LONGEST_NS - SHORTEST_NS) * (int64_t)i / n);
	printf("{\"sleeps\": %" PRIu32 ", \"failed\": %" PRIu32 ", \"early\": %" PRIu32 ", \"early_raw\": %" PRIu32
	       "}\n", s.done, s.failed, s.early, s.early_raw);
	return 0;
}

static const struct {
	const char *name;
	int       (*run)(const char *source, const char *number);
	int         args;
} commands[] = {
	{ "sources", sources, 0 }, { "info", info, 1 }, { "open", open_result, 1 }, { "cost", cost, 1 },
	{ "causality", causality, 2 }, { "sleeps", sleeps, 2 },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i].name) && argc == 2 + commands[i].args)
			return commands[i].run(argv[2], argc > 3 ? argv[3] : "");
	fprintf(stderr, "usage: counter sources | info|open|cost SOURCE | causality|sleeps SOURCE NUMBER\n");
	return FAILED;
}
