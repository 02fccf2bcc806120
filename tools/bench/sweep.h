/* SPDX-License-Identifier: MIT */
/* hpt bench sleep: how late sleeps end and how much CPU time they take, compared with other ways to sleep. */
#ifndef HPT_BENCH_SWEEP_H
#define HPT_BENCH_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "bench/candidates_sleep.h"
#include "bench/one_sleep.h"
#include "bench/worker.h"
#include "cli/stats.h"
#include "cli/stopwatch.h"

struct hpt_sweep_plan {
	int64_t longest_ns, shortest_ns; /* 1 us .. 1 h */
	uint32_t step;                  /* 2 .. 1000: each length is the one before, divided by this */
	uint32_t rounds;                /* 1 .. HPT_SWEEP_ROUNDS_MAX */
	uint32_t seed;
	bool is_table;                  /* report each length, with entry and exit, user and system time */
};

/* The papers' sweep; with --table, decades from 10 s down. */
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

/* Sleeps of all lengths, of a jiffy and longer, and shorter. */
enum hpt_band { HPT_BAND_ALL, HPT_BAND_LONG, HPT_BAND_SHORT, HPT_BANDS };

/* Statistics over a band or of one length, in ps. */
struct hpt_sweep_stats {
	size_t sleeps, early;           /* early: ended before their time by the caller's own readings */
	struct hpt_stats miss;           /* time around the call minus the length */
	struct hpt_stats deadline_miss;  /* end minus target, of sleeps with a target; else count is 0 */
	/*
	 * T2 - T1 and T4 - T3 if known; else count is 0. The caller sees neither of libhpt's: the exit of both ways is
	 * hpt_sleep_until()'s end minus its target, and the entry of hpt_sleep_ns() its miss less this, by rounds.
	 */
	struct hpt_stats entry, exit;
	bool entry_is_derived, exit_is_derived;
	int64_t cpu_ppm, user_ppm, system_ppm; /* of the time slept */
	int64_t split_us;               /* user and system time that these two shares stand for */
};

struct hpt_sweep {
	struct hpt_sweep_plan plan;
	struct hpt_stopwatch watch;     /* the clock that is slept on */
	int64_t lengths_ns[HPT_SWEEP_LENGTHS_MAX];
	int64_t lengths_ticks[HPT_SWEEP_LENGTHS_MAX];
	unsigned n_lengths;
	int64_t jiffy_ns;         /* 1/HZ; 4 ms if the kernel does not state HZ */
	unsigned n_ways;                /* of hpt_sleep_candidates[] */
	struct hpt_sleep_times *samples; /* see hpt_sweep_times() */
	uint32_t disturbed;             /* sleeps of libhpt that reported that counter and clock diverged */
	struct hpt_sleep_info learned;  /* margins of the measuring thread; size 0: unknown */
	int64_t start_unix_ns, wall_ns;
	_Atomic uint32_t rounds_done;   /* complete rounds ... */
	_Atomic uint32_t lengths_done;  /* ... and complete lengths of the incomplete round */
	int cpu;
	/* By hpt_sweep_summarise(). */
	struct hpt_sweep_stats (*bands)[HPT_BANDS];                   /* [way][band]; sleeps is 0 in an empty band */
	struct hpt_sweep_stats (*lengths)[HPT_SWEEP_LENGTHS_MAX];     /* [way][length] */
};

/* The number of sleeps of this length that each way has made. */
uint32_t hpt_sweep_rounds(const struct hpt_sweep *s, unsigned length);

struct hpt_sleep_times *hpt_sweep_times(const struct hpt_sweep *s, unsigned way, uint32_t round, unsigned length);

/* The expected time of the whole run in ns, for the progress bar. */
int64_t hpt_sweep_estimate_ns(const struct hpt_sweep *s);

/* Returns 0, or -ERANGE: the plan is impossible. */
int hpt_sweep_prepare(const struct hpt_sweep_plan *plan, struct hpt_sweep *ret);

/* For hpt_worker_run(): @data is a struct hpt_sweep. */
void hpt_sweep_measure(void *data, struct hpt_worker *w);

/* Measures the rounds with s->n_ways of any ways. lengths_ticks must be set. */
void hpt_sweep_run(struct hpt_sweep *s, const struct hpt_sleep_candidate *ways, struct hpt_worker *w);

#endif
