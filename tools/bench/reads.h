/* SPDX-License-Identifier: MIT */
/* hpt bench read: the cost of a read of each source, compared with the other calls that read the time. */
#ifndef HPT_BENCH_READS_H
#define HPT_BENCH_READS_H

#include <stdint.h>

#include "bench/candidates_read.h"
#include "bench/worker.h"
#include "cli/stats.h"
#include "cli/stopwatch.h"

struct hpt_reads_plan {
	uint32_t source;        /* HPT_SOURCE_ of the only source to measure; 0: all sources that can be opened */
	uint32_t rounds;        /* 1 .. HPT_READS_ROUNDS_MAX */
	uint32_t seed;          /* seed of the random order */
};

#define HPT_READS_ROUNDS     2000    /* by default, and with --long */
#define HPT_READS_ROUNDS_LONG 10000
#define HPT_READS_ROUNDS_MAX 100000

/* A call and its samples. Arrays have one value for each round, in order. */
struct hpt_reads_row {
	const struct hpt_read_candidate *call;
	uint32_t calls;                 /* in each timed loop */
	uint32_t singles;               /* calls timed one by one in a round */
	int64_t *throughput_ps;         /* time of a call in a loop of calls that may overlap */
	int64_t *isolated_ps;           /* time of a call in a loop in which each ends before the next begins */
	int64_t *single_ps;             /* [round * singles + i]: single calls, minus the stopwatch's own time */
	int64_t *begun_ns;              /* start of each round's singles, from the start of the run */
	/* By hpt_reads_summarise(). */
	struct hpt_stats throughput, isolated, single; /* ps */
	struct hpt_stats ratio;          /* of throughput to clock_gettime(MONOTONIC)'s in the same round, ppm */
};

/* The granularity of a counter: the unit of its ticks, and by how much it moves. */
struct hpt_reads_granularity {
	const char *name;               /* "tsc", "os", "clock_gettime(MONOTONIC_COARSE)" ... */
	int64_t tick_ps;                /* duration of one tick; 0: below a picosecond */
	int64_t step_ps;                /* it moves by multiples of this, see granularity.h; 0: it never moved */
	int64_t least_ps;               /* least difference above 0 between two reads */
};

struct hpt_reads {
	struct hpt_reads_plan plan;
	struct hpt_reads_row *rows;
	unsigned n_rows;
	struct hpt_reads_granularity *steps;
	unsigned n_steps;
	const struct hpt_reads_row *base; /* clock_gettime(MONOTONIC) */
	struct hpt_stopwatch watch;
	int64_t *stopwatch_round_ps;    /* for each round: the median time without a call, subtracted from singles */
	int64_t *ended_ns;              /* end of each round, from the start of the run */
	int64_t start_unix_ns;
	_Atomic uint32_t rounds_done;   /* complete rounds */
	int cpu;                        /* the measuring CPU */
	/* By hpt_reads_summarise(), of the complete rounds. */
	int64_t stopwatch_ps;           /* the median of stopwatch_round_ps */
	int64_t wall_ns;
};

/*
 * Opens the sources and allocates the samples. Returns 0, or a negative errno if the only source of the plan cannot be
 * opened.
 */
int hpt_reads_prepare(const struct hpt_reads_plan *plan, struct hpt_reads *ret);

/* The same with another table of candidates, for tests. */
int hpt_reads_prepare_candidates(const struct hpt_reads_plan *plan, const struct hpt_read_candidate *calls, unsigned n,
			   struct hpt_reads *ret);

/* For hpt_worker_run(): @data is a struct hpt_reads. */
void hpt_reads_measure(void *data, struct hpt_worker *w);

/* Computes the statistics of a struct hpt_reads from its complete rounds. False: no round is complete. */
bool hpt_reads_summarise(void *reads);

#endif
