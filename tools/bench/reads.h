/* SPDX-License-Identifier: MIT */
/* hpt bench read: the cost of a read of each source, compared with the other calls that read the time. */
#ifndef HPT_TOOLS_READS_H
#define HPT_TOOLS_READS_H

#include <stdint.h>

#include "bench/candidates_read.h"
#include "bench/choice.h"
#include "bench/worker.h"
#include "cli/stats.h"
#include "cli/stopwatch.h"

struct reads_plan {
	uint32_t source;        /* HPT_SOURCE_ of the only source to measure; 0: all sources that can be opened */
	uint32_t rounds;        /* 1 .. READS_ROUNDS_MAX */
	uint32_t reads;         /* single reads of each call, rounded up to whole rounds; 0: 200000 at most */
	uint32_t seed;          /* seed of the random order */
	struct choice only;     /* of read_candidates[] or those given; empty: all */
	struct choice trace;    /* calls whose single reads are drawn one by one; empty: none */
};

#define READS_ROUNDS     2000    /* by default, and with --long */
#define READS_ROUNDS_LONG 10000
#define READS_ROUNDS_MAX 100000

/* As many as the papers. */
#define READS_SINGLES_MAX 100000000

/* A call and its samples. Arrays have one value for each round, in order. */
struct reads_row {
	const struct read_candidate *call;
	uint32_t calls;                 /* in each timed loop */
	uint32_t singles;               /* calls timed one by one in a round */
	int64_t *throughput_ps;         /* time of a call in a loop of calls that may overlap */
	int64_t *isolated_ps;           /* time of a call in a loop in which each ends before the next begins */
	int64_t *single_ps;             /* [round * singles + i]: single calls, minus the stopwatch's own time */
	int64_t *begun_ns;              /* start of each round's singles, from the start of the run */
	/* By reads_summarise(). */
	struct stats throughput, isolated, single; /* ps */
	struct stats ratio;          /* of throughput to clock_gettime(MONOTONIC)'s in the same round, ppm */
};

/* The granularity of a counter: the unit of its ticks, and by how much it moves. */
struct reads_granularity {
	const char *name;               /* "tsc", "os", "clock_gettime(MONOTONIC_COARSE)" ... */
	int64_t tick_ps;                /* duration of one tick; 0: below a picosecond */
	int64_t step_ps;                /* it moves by multiples of this, see granularity.h; 0: it never moved */
	int64_t least_ps;               /* least difference above 0 between two reads */
};

/* Sources are numbered from 1 without gaps. */
#define READS_SOURCES_MAX 32

struct reads {
	struct reads_plan plan;
	hpt_clock *clk[READS_SOURCES_MAX]; /* of the sources that were opened, each at its first use */
	struct read_candidate *calls;   /* those of the rows */
	struct reads_row *rows;
	unsigned n_rows;
	struct reads_granularity *steps;
	unsigned n_steps;
	const struct reads_row *base; /* clock_gettime(MONOTONIC) */
	struct stopwatch watch;
	int64_t *stopwatch_round_ps;    /* for each round: the median time without a call, subtracted from singles */
	int64_t *ended_ns;              /* end of each round, from the start of the run */
	int64_t start_unix_ns;
	_Atomic uint32_t rounds_done;   /* complete rounds */
	int cpu;                        /* the measuring CPU */
	/* By reads_summarise(), of the complete rounds. */
	int64_t stopwatch_ps;           /* the median of stopwatch_round_ps */
	int64_t elapsed_ns;
};

/*
 * Opens the sources and allocates the samples. Returns 0, or a negative errno if the only source of the plan cannot be
 * opened.
 */
int reads_prepare(const struct reads_plan *plan, struct reads *ret);

/* The names of read_candidates[], for choice.h. */
const char *reads_name(unsigned i);

/* The memory of the single reads of a plan, and of a copy of one call's that is sorted. */
int64_t reads_bytes(const struct reads_plan *plan);

/* The row of a call by its name; NULL: it was not measured. */
const struct reads_row *reads_find(const struct reads *r, const char *name);

/* The same with another table of candidates, for tests. */
int reads_prepare_candidates(const struct reads_plan *plan, const struct read_candidate *calls, unsigned n,
			   struct reads *ret);

/* For worker_run(): @data is a struct reads. */
void reads_measure(void *data, struct worker *w);

/* Computes the statistics of a struct reads from its complete rounds. False: no round is complete. */
bool reads_summarise(void *reads);

#endif
