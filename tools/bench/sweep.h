/* SPDX-License-Identifier: MIT */
/* hpt bench sleep: how late sleeps end and what CPU time they take, beside what else one can sleep with. */
#ifndef HPT_BENCH_SWEEP_H
#define HPT_BENCH_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/sleep.h"

#include "bench/candidates_sleep.h"
#include "bench/one_sleep.h"
#include "bench/worker.h"
#include "stats.h"

struct hpt_sweep_plan {
	int64_t longest_ns, shortest_ns; /* 1 us .. 1 h; lengths: longest, divided by step again and again, not below shortest */
	uint32_t step;                  /* 2 .. 1000 */
	uint32_t rounds;                /* 1 .. HPT_SWEEP_ROUNDS_MAX */
	uint32_t seed;
	bool is_loaded;                 /* beside a busy thread on the same CPU; the busy wait is left out */
	bool is_table;                  /* tell of each length, with entry and exit, user and system */
};

/* The papers' sweep; with --table decades from 10 s on. */
#define HPT_SWEEP_LONGEST_NS  INT64_C(250000000)
#define HPT_SWEEP_SHORTEST_NS INT64_C(1000)
#define HPT_SWEEP_STEP        2
#define HPT_SWEEP_TABLE_LONGEST_NS INT64_C(10000000000)
#define HPT_SWEEP_TABLE_STEP  10
#define HPT_SWEEP_ROUNDS      7     /* 26 s */
#define HPT_SWEEP_ROUNDS_LONG 20
#define HPT_SWEEP_TABLE_ROUNDS 3
#define HPT_SWEEP_ROUNDS_MAX  10000
#define HPT_SWEEP_LENGTHS_MAX 64

/* Of sleeps of all lengths, of those of one tick of the kernel and more, of shorter ones. */
enum hpt_band { HPT_BAND_ALL, HPT_BAND_LONG, HPT_BAND_SHORT, HPT_BANDS };

/* ps, over a band or of one length. */
struct hpt_sweep_stats {
	size_t sleeps, early;           /* early: ended before its time by the caller's own stamps */
	struct hpt_stats miss;           /* the time around the call less the length */
	struct hpt_stats deadline_miss;  /* behind the target, of those that have one; else count is 0 */
	struct hpt_stats entry, exit;    /* T2 - T1 and T4 - T3 where known; else count is 0 */
	bool entry_is_derived;          /* entry of hpt_sleep_ns: its miss less hpt_sleep_until()'s of the same round */
	int64_t cpu_ppm, user_ppm, system_ppm; /* of the time slept */
	int64_t split_us;               /* user and system time behind these two */
};

struct hpt_sweep {
	struct hpt_sweep_plan plan;
	hpt_clock *clk;                 /* of the stopwatch */
	int64_t lengths_ns[HPT_SWEEP_LENGTHS_MAX];
	int64_t lengths_ticks[HPT_SWEEP_LENGTHS_MAX];
	unsigned n_lengths;
	int64_t jiffy_ns;         /* 1/HZ; 4 ms where the kernel does not say */
	unsigned n_ways;                /* of hpt_sleep_candidates[] */
	struct hpt_sleep_times *samples; /* hpt_sweep_times() */
	uint32_t disturbed;             /* sleeps of ours that told of counter and clock having parted */
	struct hpt_sleep_info learned;  /* of the measuring thread; size 0: unknown */
	int64_t start_unix_ns, wall_ns;
	_Atomic uint32_t rounds_done;   /* whole ones ... */
	_Atomic uint32_t lengths_done;  /* ... and of the one that was not ended, the first so many lengths by all ways */
	int cpu;
	/* By hpt_sweep_summarise(). */
	struct hpt_sweep_stats (*bands)[HPT_BANDS];                   /* [way][band]; sleeps 0: none of that band */
	struct hpt_sweep_stats (*lengths)[HPT_SWEEP_LENGTHS_MAX];     /* [way][length] */
};

/* How many sleeps of that length each way has made. */
uint32_t hpt_sweep_rounds(const struct hpt_sweep *s, unsigned length);

struct hpt_sleep_times *hpt_sweep_times(const struct hpt_sweep *s, unsigned way, uint32_t round, unsigned length);

/* ns that it will take, for the bar and for who waits. */
int64_t hpt_sweep_estimate_ns(const struct hpt_sweep *s);

/* 0, or -ERANGE: the plan is impossible. */
int hpt_sweep_prepare(const struct hpt_sweep_plan *plan, struct hpt_sweep *ret);

/* For hpt_worker_run(): @data is a struct hpt_sweep. */
void hpt_sweep_measure(void *data, struct hpt_worker *w);

/* The rounds of it, with whatever ways: s->n_ways of them. lengths_ticks are there. */
void hpt_sweep_run(struct hpt_sweep *s, const struct hpt_sleep_candidate *ways, struct hpt_worker *w);

#endif
