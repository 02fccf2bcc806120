/* SPDX-License-Identifier: MIT */
/* hpt bench read: what a read of each source costs, beside what else tells the time here. */
#ifndef HPT_BENCH_READS_H
#define HPT_BENCH_READS_H

#include <stdint.h>

#include "bench/candidates_read.h"
#include "bench/worker.h"
#include "stats.h"

struct hpt_reads_plan {
	uint32_t source;        /* HPT_SOURCE_ of the only source to measure; 0: all that can be opened */
	uint32_t rounds;        /* 1 .. HPT_READS_ROUNDS_MAX */
	uint32_t seed;          /* of the random order */
};

#define HPT_READS_ROUNDS     2000    /* by default, and with --long */
#define HPT_READS_ROUNDS_LONG 10000
#define HPT_READS_ROUNDS_MAX 100000

/* A call and its samples. Arrays have a value a round, in the order of rounds. */
struct hpt_reads_row {
	const struct hpt_read_candidate *call;
	uint32_t calls;                 /* in each timed loop */
	uint32_t singles;               /* timed one by one in a round */
	int64_t *throughput_ps;         /* a call of a loop of calls, one behind the other */
	int64_t *isolated_ps;           /* a call of a loop in which each has ended before the next begins */
	int64_t *single_ps;             /* [round * singles + i]: calls timed one by one, less the stopwatch's own */
	int64_t *begun_ns;              /* when a round's singles began, from the start of the run */
	/* By hpt_reads_summarise(). */
	struct hpt_stats throughput, isolated, single; /* ps */
	struct hpt_stats ratio;          /* throughput to clock_gettime(MONOTONIC)'s in the same round, millionths */
};

/* How finely a counter tells the time: what one tick is, and by how much it is seen to move. */
struct hpt_reads_granularity {
	const char *name;               /* "tsc", "os", "clock_gettime(MONOTONIC_COARSE)" ... */
	int64_t tick_ps;                /* of one tick; 0: below a picosecond */
	int64_t step_ps;                /* it moves by multiples of this, as step.h has it; 0: it never moved */
	int64_t least_ps;               /* least difference above 0 seen between two reads */
};

struct hpt_reads {
	struct hpt_reads_plan plan;
	struct hpt_reads_row *rows;
	unsigned n_rows;
	struct hpt_reads_granularity *steps;
	unsigned n_steps;
	const struct hpt_reads_row *base; /* clock_gettime(MONOTONIC) */
	int64_t *stopwatch_round_ps;    /* a value a round: the median of nothing timed, taken off its singles */
	int64_t *ended_ns;              /* when a round ended, from the start of the run */
	int64_t start_unix_ns;
	_Atomic uint32_t rounds_done;   /* whole ones */
	int cpu;                        /* that it ran on */
	/* By hpt_reads_summarise(), of the whole rounds. */
	int64_t stopwatch_ps;           /* the median of stopwatch_round_ps */
	int64_t wall_ns;
};

/* Opens the sources and makes room. 0, or a negative errno if the one source that is wanted cannot be opened. */
int hpt_reads_prepare(const struct hpt_reads_plan *plan, struct hpt_reads *ret);

/* The same of calls of another table, which tests have. */
int hpt_reads_prepare_candidates(const struct hpt_reads_plan *plan, const struct hpt_read_candidate *calls, unsigned n,
			   struct hpt_reads *ret);

/* For hpt_worker_run(): @data is a struct hpt_reads. */
void hpt_reads_measure(void *data, struct hpt_worker *w);

/* Fills the statistics of a struct hpt_reads from its whole rounds. False: there is no whole round. */
bool hpt_reads_summarise(void *reads);

#endif
