/* SPDX-License-Identifier: MIT */
/* A run of hpt bench wake: its plan, its results, and its progress. */
#ifndef HPT_TOOLS_WAKES_RUN_H
#define HPT_TOOLS_WAKES_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "bench/worker.h"
#include "cli/cpus.h"
#include "cli/stats.h"
#include "cli/stopwatch.h"

struct wakes_plan {
	uint32_t rounds;                /* of the phase with the longest sleeps; 1 .. WAKES_ROUNDS_MAX */
	int64_t period_ns;              /* of the ticker: 10 us .. 1 s */
	int64_t ticker_ns;              /* duration of the measurement of each keeper: 0 .. 1 h */
	uint32_t seed;
	int cpu;                        /* to measure on, which may be none of this process's mask; -1: any */
};

/* Limit on the ticks of a run: 80 MB of latenesses for each keeper. */
#define WAKES_TICKS_MAX   10000000

#define WAKES_ROUNDS      200
#define WAKES_ROUNDS_LONG 1000
#define WAKES_ROUNDS_MAX  100000
#define WAKES_PERIOD_NS   INT64_C(1000000)
#define WAKES_TICKER_NS   INT64_C(4000000000)
#define WAKES_TICKER_LONG_NS INT64_C(20000000000)

/* The results of a way to sleep and to be woken, within a phase. */
struct wakes_candidate {
	const char *name;               /* "hpt_waiter_interrupt", "bare flag", "eventfd and ppoll", "bare futex" */
	int64_t *latency_ps;            /* from before the waker's call until after the sleeper's, in order of rounds */
	int64_t *cost_ps;               /* duration of the waker's call */
	struct stats latency, cost;  /* by wakes_summarise() */
};

struct wakes_phase {
	const char *name;               /* "spin", "kernel 0.3 ms", "kernel 10 ms", "kernel 10 ms cold" */
	int64_t asleep_ns;              /* least time asleep before the wake */
	bool is_cold;                   /* the waker's CPU idles meanwhile; else the waker spins before it wakes */
	uint32_t rounds;                /* planned */
	_Atomic uint32_t rounds_done;   /* complete rounds */
	struct wakes_candidate ways[3];
	unsigned n_ways;
};

#define WAKES_PHASES 4

struct wakes_keeper {
	const char *name;               /* "hpt_ticker_wait", "clock_nanosleep", "clock_nanosleep, slack 1" */
	int64_t *late_ps;               /* lateness of each tick, in order of time */
	size_t n;                       /* capacity */
	_Atomic size_t done;
	int64_t cpu_ns, elapsed_ns;
	uint64_t missed;                /* missed ticks */
	int64_t drift_ps;               /* least lateness in the last quarter of the run minus that in the first */
	struct stats late;
	int64_t cpu_ppm;
};

#define WAKES_KEEPERS 3

struct wakes {
	struct wakes_plan plan;
	struct wakes_phase phases[WAKES_PHASES];
	unsigned n_phases;              /* 0: there is one CPU only, so that no other can wake a sleeper */
	struct wakes_keeper keepers[WAKES_KEEPERS];
	unsigned n_keepers;             /* 0: not requested */
	uint32_t lost;                  /* sleeps that ended without being woken; their rounds are dropped */
	uint32_t disturbed;             /* waits for libhpt's ticker that reported that counter and clock diverged */
	/* libhpt's ticker started at most this long after the time that its lateness counts from. */
	int64_t start_took_ps;
	int64_t start_doubt_ps;         /* uncertainty of the start, after wakes_summarise() has taken the middle */
	int64_t start_unix_ns, elapsed_ns;
	int cpu, sleeper_cpu;           /* sleeper_cpu -1: no sleeper */
	struct stopwatch watch;
	struct cpus allowed;        /* those that this process may use */
};

struct wakes_run {
	struct wakes *s;
	struct worker *w;
	hpt_clock *clk;                 /* the stopwatch's clock */
	bool is_tsc;
	int64_t begun_ns;               /* CLOCK_MONOTONIC */
	int64_t done_ns, total_ns;      /* of the expected time of the run */
	uint64_t random;                /* state of shuffle_below() */
};

/*
 * Reports ns of progress. False: the run must stop and publish nothing more. Results are written only between this call
 * and the next sample: a thread that no longer waits has requested the stop long before it reads them (bench/worker.h).
 */
bool wakes_run_step(struct wakes_run *run, int64_t ns);

#endif
