/* SPDX-License-Identifier: MIT */
/* hpt bench sleep --load, --threads, --quota: sleeps some 1 and 10 ms apart, beside busy threads or with a quota. */
#ifndef HPT_TOOLS_PACED_H
#define HPT_TOOLS_PACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "bench/candidates_sleep.h"
#include "bench/quota_group.h"
#include "bench/worker.h"
#include "cli/cpus.h"
#include "cli/stats.h"
#include "cli/stopwatch.h"

/* Most ways of a run. */
#define PACED_WAYS_MAX 12

/* The ways that take turns. */
struct paced_set {
	const struct sleep_candidate *ways;
	unsigned n_ways;
	unsigned n_rates;               /* the first of paced_rates */
	uint32_t settling;              /* sleeps of a turn that are not counted: the ways share what wakes taught */
	void (*enter)(unsigned way);    /* before and after a turn of this way, on the first thread; NULL: nothing */
	void (*leave)(unsigned way);
};

struct paced_plan {
	const struct paced_set *set;
	uint32_t load;                  /* busy threads: 0 .. BUSY_MAX */
	uint32_t threads;               /* that sleep: 1 .. PACED_THREADS_MAX */
	uint32_t rounds;                /* 1 .. PACED_ROUNDS_MAX / threads */
	uint32_t seed;
	uint32_t quota_percent;         /* of a CPU, for the whole process, without busy threads; 0: none */
	bool is_bound;                  /* measure on one CPU; else wherever the scheduler wants */
};

#define PACED_ROUNDS      10    /* 36 s */
#define PACED_ROUNDS_LONG 40
#define PACED_ROUNDS_MAX  10000 /* of one thread */
#define PACED_THREADS_MAX 250   /* so that there are places for PACED_ROUNDS_LONG */

/* Few idle CPUs wake later than this, so that it shows how often a wake waited for another thread. */
#define PACED_OVER_NS     200000

/* A turn: consecutive sleeps of one way at one rate, of each thread. */
struct paced_turn {
	int64_t cpu_ns;                 /* of all sleeps */
	int64_t p99_ps;                 /* of the lateness */
	uint32_t over;                  /* sleeps that were more than PACED_OVER_NS late */
	uint32_t missed;                /* deadlines that had passed before the sleep could begin */
	uint32_t early;                 /* sleeps that ended before their deadline */
	uint32_t stops;                 /* periods of the quota in which it was used up */
	uint32_t disturbed;             /* sleeps that reported that counter and clock diverged */
};

/* The middle half of all rounds. */
struct paced_spread {
	int64_t low, high;
};

/* The results of a way at a rate. */
struct paced_row {
	int64_t *late_ps;               /* end minus deadline: of each round, in it of each thread, in order of time */
	struct paced_turn *turns;       /* one each round */
	/* By paced_summarise(). */
	struct stats late;
	int64_t p999_ps;
	int64_t cpu_ns;                 /* of one sleep, mean */
	uint64_t over, missed, early, stops;
	struct paced_spread round_p99_ps, round_over;
};

enum { PACED_UNTIL, PACED_KERNEL, PACED_SPIN_SLEEP, PACED_WAYS };

#define PACED_RATES 2

struct paced_rate {
	const char *name;               /* "1.003 ms" */
	int64_t period_ns;
	uint32_t sleeps;                /* of a thread in a turn, those that count */
};

extern const struct paced_rate paced_rates[PACED_RATES];
extern const struct sleep_candidate paced_ways[PACED_WAYS];
extern const struct paced_set paced_set;

struct paced {
	struct paced_plan plan;
	struct stopwatch watch;     /* the clock that is slept on */
	struct cpus allowed;        /* those of this process */
	struct quota_group quota;
	_Atomic bool has_quota;     /* the process is in that group */
	struct paced_row rows[PACED_RATES][PACED_WAYS_MAX];
	_Atomic uint32_t rounds_done;
	int64_t start_unix_ns, elapsed_ns;
	int cpu;                        /* -1: not bound to one */
	uint64_t disturbed;
};

/*
 * Call on the first thread, which may run on all CPUs of this process. Returns 0; -ERANGE: the plan is impossible; or
 * another errno.
 */
int paced_prepare(const struct paced_plan *plan, struct paced *ret);

/* The expected time of the whole run in ns. */
int64_t paced_estimate_ns(const struct paced *s);

/* For worker_run(): @data is a struct paced. */
void paced_measure(void *data, struct worker *w);

/*
 * Leaves the control group, if the process is in one: after a measurement whose thread did not end, for one that is
 * stopped with its group ends late.
 */
void paced_leave_quota(struct paced *s);

/* Measures the rounds without busy threads. 0, or a negative errno: a thread cannot be started. */
int paced_run_ways(struct paced *s, struct worker *w);

/* The sleeps of each way at a rate, of all threads: of a round, and of all rounds that are complete. */
uint32_t paced_sleeps_each_round(const struct paced *s, unsigned rate);
size_t paced_sleeps(const struct paced *s, unsigned rate);

/*
 * True: P99 of a quarter of a way's rounds is a multiple of that of another quarter, so that P99 of all says little.
 * False where a round has too few sleeps for a P99.
 */
bool paced_is_bistable(const struct paced *s, unsigned rate, unsigned way);

/* Computes the statistics of a struct paced. False: no round is complete. */
bool paced_summarise(void *paced);

#endif
