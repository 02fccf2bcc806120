/* SPDX-License-Identifier: MIT */
/* A measurement of wakes under way: what its two halves share. */
#ifndef HPT_BENCH_WAKES_RUN_H
#define HPT_BENCH_WAKES_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "bench/worker.h"
#include "stats.h"

struct hpt_wakes_plan {
	uint32_t rounds;                /* of the longest phase; 1 .. HPT_WAKES_ROUNDS_MAX */
	int64_t period_ns;              /* of the ticker: 10 us .. 1 s */
	int64_t ticker_ns;              /* how long each keeper is measured: 0 .. 1 h */
	uint32_t seed;
};

/* A run has no more ticks: 80 MB of latenesses for each keeper. */
#define HPT_WAKES_TICKS_MAX   10000000

#define HPT_WAKES_ROUNDS      200
#define HPT_WAKES_ROUNDS_LONG 1000
#define HPT_WAKES_ROUNDS_MAX  100000
#define HPT_WAKES_PERIOD_NS   INT64_C(1000000)
#define HPT_WAKES_TICKER_NS   INT64_C(4000000000)
#define HPT_WAKES_TICKER_LONG_NS INT64_C(20000000000)

/* A way to sleep and to be woken, within a phase. */
struct hpt_wakes_candidate {
	const char *name;               /* "hpt_waiter_interrupt", "bare flag", "eventfd and ppoll", "bare futex" */
	int64_t *latency_ps;            /* from before the waker's call to behind the sleeper's, in order of rounds */
	int64_t *cost_ps;               /* the waker's call */
	struct hpt_stats latency, cost;  /* by hpt_wakes_summarise() */
};

struct hpt_wakes_phase {
	const char *name;               /* "spin", "kernel 0.3 ms", "kernel 10 ms" */
	int64_t asleep_ns;              /* before it is woken, at least */
	uint32_t rounds;                /* wanted */
	_Atomic uint32_t rounds_done;   /* whole ones */
	struct hpt_wakes_candidate ways[3];
	unsigned n_ways;
};

#define HPT_WAKES_PHASES 3

struct hpt_wakes_keeper {
	const char *name;               /* "hpt_ticker_wait", "clock_nanosleep", "clock_nanosleep, slack 1" */
	int64_t *late_ps;               /* each tick, in order of time */
	size_t n;                       /* room */
	_Atomic size_t done;
	int64_t cpu_ns, wall_ns;
	uint64_t missed;                /* ticks that went by */
	int64_t drift_ps;               /* least lateness in the last quarter of the run less that in the first */
	struct hpt_stats late;
	int64_t cpu_ppm;
};

#define HPT_WAKES_KEEPERS 3

struct hpt_wakes {
	struct hpt_wakes_plan plan;
	struct hpt_wakes_phase phases[HPT_WAKES_PHASES];
	unsigned n_phases;              /* 0: one CPU only, nobody can be woken from another */
	struct hpt_wakes_keeper keepers[HPT_WAKES_KEEPERS];
	unsigned n_keepers;             /* 0: not wanted */
	uint32_t lost;                  /* sleeps that ended otherwise than by being woken; their rounds are not kept */
	uint32_t disturbed;             /* waits for our ticker that told of counter and clock having parted */
	int64_t start_took_ps;          /* our ticker's start is up to so much behind what its lateness counts from */
	int64_t start_doubt_ps;         /* by hpt_wakes_summarise(), which takes the middle: how far off that may be */
	int64_t start_unix_ns, wall_ns;
	int cpu, sleeper_cpu;           /* sleeper_cpu -1: there is none */
	void *state;                    /* of the measurement */
};

struct hpt_wakes_run {
	struct hpt_wakes *s;
	struct hpt_worker *w;
	hpt_clock *clk;                 /* of the stopwatch */
	bool is_tsc;
	int64_t begun_ns;               /* CLOCK_MONOTONIC */
	int64_t done_ns, total_ns;      /* of the time that all is expected to take */
	uint64_t random;                /* of hpt_random_below() */
};

/*
 * So much more is done. False: leave off, and publish nothing any more. Results are written between this and the next
 * sample only: who does not wait for us any longer has said so long before reading them (bench/worker.h).
 */
bool hpt_wakes_run_step(struct hpt_wakes_run *run, int64_t ns);

#endif
