/* SPDX-License-Identifier: MIT */
/* A run of hpt bench wake: its plan, its results, and its progress. */
#ifndef HPT_BENCH_WAKES_RUN_H
#define HPT_BENCH_WAKES_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "bench/worker.h"
#include "cli/cpus.h"
#include "cli/stats.h"
#include "cli/stopwatch.h"

struct hpt_wakes_plan {
	uint32_t rounds;                /* of the phase with the longest sleeps; 1 .. HPT_WAKES_ROUNDS_MAX */
	int64_t period_ns;              /* of the ticker: 10 us .. 1 s */
	int64_t ticker_ns;              /* duration of the measurement of each keeper: 0 .. 1 h */
	uint32_t seed;
	int cpu;                        /* to measure on, which may be none of this process's mask; -1: any */
};

/* Limit on the ticks of a run: 80 MB of latenesses for each keeper. */
#define HPT_WAKES_TICKS_MAX   10000000

#define HPT_WAKES_ROUNDS      200
#define HPT_WAKES_ROUNDS_LONG 1000
#define HPT_WAKES_ROUNDS_MAX  100000
#define HPT_WAKES_PERIOD_NS   INT64_C(1000000)
#define HPT_WAKES_TICKER_NS   INT64_C(4000000000)
#define HPT_WAKES_TICKER_LONG_NS INT64_C(20000000000)

/* The results of a way to sleep and to be woken, within a phase. */
struct hpt_wakes_candidate {
	const char *name;               /* "hpt_waiter_interrupt", "bare flag", "eventfd and ppoll", "bare futex" */
	int64_t *latency_ps;            /* from before the waker's call until after the sleeper's, in order of rounds */
	int64_t *cost_ps;               /* duration of the waker's call */
	struct hpt_stats latency, cost;  /* by hpt_wakes_summarise() */
};

struct hpt_wakes_phase {
	const char *name;               /* "spin", "kernel 0.3 ms", "kernel 10 ms", "kernel 10 ms cold" */
	int64_t asleep_ns;              /* least time asleep before the wake */
	bool is_cold;                   /* the waker's CPU idles meanwhile; else the waker spins before it wakes */
	uint32_t rounds;                /* planned */
	_Atomic uint32_t rounds_done;   /* complete rounds */
	struct hpt_wakes_candidate ways[3];
	unsigned n_ways;
};

#define HPT_WAKES_PHASES 4

struct hpt_wakes_keeper {
	const char *name;               /* "hpt_ticker_wait", "clock_nanosleep", "clock_nanosleep, slack 1" */
	int64_t *late_ps;               /* lateness of each tick, in order of time */
	size_t n;                       /* capacity */
	_Atomic size_t done;
	int64_t cpu_ns, wall_ns;
	uint64_t missed;                /* missed ticks */
	int64_t drift_ps;               /* least lateness in the last quarter of the run minus that in the first */
	struct hpt_stats late;
	int64_t cpu_ppm;
};

#define HPT_WAKES_KEEPERS 3

struct hpt_wakes {
	struct hpt_wakes_plan plan;
	struct hpt_wakes_phase phases[HPT_WAKES_PHASES];
	unsigned n_phases;              /* 0: there is one CPU only, so that no other can wake a sleeper */
	struct hpt_wakes_keeper keepers[HPT_WAKES_KEEPERS];
	unsigned n_keepers;             /* 0: not requested */
	uint32_t lost;                  /* sleeps that ended without being woken; their rounds are dropped */
	uint32_t disturbed;             /* waits for libhpt's ticker that reported that counter and clock diverged */
	/* libhpt's ticker started at most this long after the time that its lateness counts from. */
	int64_t start_took_ps;
	int64_t start_doubt_ps;         /* uncertainty of the start, after hpt_wakes_summarise() has taken the middle */
	int64_t start_unix_ns, wall_ns;
	int cpu, sleeper_cpu;           /* sleeper_cpu -1: no sleeper */
	struct hpt_stopwatch watch;
	struct hpt_cpus allowed;        /* those that this process may use */
};

struct hpt_wakes_run {
	struct hpt_wakes *s;
	struct hpt_worker *w;
	hpt_clock *clk;                 /* the stopwatch's clock */
	bool is_tsc;
	int64_t begun_ns;               /* CLOCK_MONOTONIC */
	int64_t done_ns, total_ns;      /* of the expected time of the run */
	uint64_t random;                /* state of hpt_random_below() */
};

/*
 * Reports ns of progress. False: the run must stop and publish nothing more. Results are written only between this call
 * and the next sample: a thread that no longer waits has requested the stop long before it reads them (bench/worker.h).
 */
bool hpt_wakes_run_step(struct hpt_wakes_run *run, int64_t ns);

#endif
