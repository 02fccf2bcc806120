/* SPDX-License-Identifier: MIT */
/* hpt bench sleep --load: sleeps at 1 kHz and 100 Hz beside busy threads. */
#ifndef HPT_BENCH_PACED_H
#define HPT_BENCH_PACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "bench/candidates_sleep.h"
#include "bench/worker.h"
#include "cli/cpus.h"
#include "cli/stats.h"
#include "cli/stopwatch.h"

struct hpt_paced_plan {
	uint32_t load;                  /* busy threads: 0 .. HPT_BUSY_MAX */
	uint32_t rounds;                /* 1 .. HPT_PACED_ROUNDS_MAX */
	uint32_t seed;
	bool is_bound;                  /* measure on one CPU; else wherever the scheduler wants */
};

#define HPT_PACED_ROUNDS      10    /* 36 s */
#define HPT_PACED_ROUNDS_LONG 40
#define HPT_PACED_ROUNDS_MAX  10000

/* The sleeps of a turn that are not counted: the ways do not share what the first ones depend on. */
#define HPT_PACED_SETTLING    10

/* A turn: consecutive sleeps of one way at one rate. */
struct hpt_paced_turn {
	int64_t cpu_ns;                 /* of all sleeps */
	int64_t p99_ps;                 /* of the lateness */
	uint32_t missed;                /* deadlines that had passed before the sleep could begin */
	uint32_t early;                 /* sleeps that ended before their deadline */
	uint32_t disturbed;             /* sleeps that reported that counter and clock diverged */
};

/* The results of a way at a rate. */
struct hpt_paced_row {
	int64_t *late_ps;               /* end minus deadline, in order of time: a turn each round */
	struct hpt_paced_turn *turns;   /* one each round */
	/* By hpt_paced_summarise(). */
	struct hpt_stats late;
	int64_t p999_ps;
	int64_t cpu_ns;                 /* of one sleep, mean */
	uint64_t missed, early;
};

enum { HPT_PACED_UNTIL, HPT_PACED_KERNEL, HPT_PACED_SPIN_SLEEP, HPT_PACED_WAYS };

#define HPT_PACED_RATES 2

struct hpt_paced_rate {
	const char *name;               /* "1 kHz" */
	int64_t period_ns;
	uint32_t sleeps;                /* of a turn that count */
};

extern const struct hpt_paced_rate hpt_paced_rates[HPT_PACED_RATES];
extern const struct hpt_sleep_candidate hpt_paced_ways[HPT_PACED_WAYS];

struct hpt_paced {
	struct hpt_paced_plan plan;
	struct hpt_stopwatch watch;     /* the clock that is slept on */
	struct hpt_cpus allowed;        /* those of this process */
	struct hpt_paced_row rows[HPT_PACED_RATES][HPT_PACED_WAYS];
	_Atomic uint32_t rounds_done;
	int64_t start_unix_ns, wall_ns;
	int cpu;                        /* -1: not bound to one */
	uint64_t disturbed;
};

/*
 * Call on the first thread, which may run on all CPUs of this process. Returns 0; -ERANGE: the plan is impossible; or
 * another errno.
 */
int hpt_paced_prepare(const struct hpt_paced_plan *plan, struct hpt_paced *ret);

/* The expected time of the whole run in ns. */
int64_t hpt_paced_estimate_ns(const struct hpt_paced *s);

/* For hpt_worker_run(): @data is a struct hpt_paced. */
void hpt_paced_measure(void *data, struct hpt_worker *w);

/* Measures the rounds with any ways, without busy threads. */
void hpt_paced_run(struct hpt_paced *s, const struct hpt_sleep_candidate *ways, struct hpt_worker *w);

/* The sleeps of each way at a rate that are complete. */
size_t hpt_paced_sleeps(const struct hpt_paced *s, unsigned rate);

/* Computes the statistics of a struct hpt_paced. False: no round is complete. */
bool hpt_paced_summarise(void *paced);

#endif
