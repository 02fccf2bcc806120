/* SPDX-License-Identifier: MIT */
/* hpt bench sleep: how late sleeps end and how much CPU time they take, compared with other ways to sleep. */
#ifndef HPT_TOOLS_SWEEP_H
#define HPT_TOOLS_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"

#include "bench/candidates_sleep.h"
#include "bench/choice.h"
#include "bench/one_sleep.h"
#include "bench/worker.h"
#include "cli/stats.h"
#include "cli/stopwatch.h"

struct sweep_plan {
	int64_t longest_ns, shortest_ns; /* 1 us .. 1 h */
	uint32_t step;                  /* 2 .. 1000: each length is the one before, divided by this */
	uint32_t rounds;                /* 1 .. SWEEP_ROUNDS_MAX */
	uint32_t seed;
	bool is_table;                  /* report each length, with entry and exit, user and system time */
	struct choice only, trace;      /* of sleep_candidates[]; empty: all, and none */
};

/* The papers' sweep; with --table, decades from 10 s down. */
#define SWEEP_LONGEST_NS  INT64_C(250000000)
#define SWEEP_SHORTEST_NS INT64_C(1000)
#define SWEEP_STEP        2
#define SWEEP_TABLE_LONGEST_NS INT64_C(10000000000)
#define SWEEP_TABLE_STEP  10
#define SWEEP_ROUNDS      7     /* 26 s */
#define SWEEP_ROUNDS_LONG 20
#define SWEEP_TABLE_ROUNDS 3
#define SWEEP_ROUNDS_MAX  100000  /* of the thesis: its 830 minutes are 0.5 s each, though it says 10000 */
#define SWEEP_LENGTHS_MAX 64

/* Sleeps of all lengths, of a jiffy and longer, and shorter. */
enum hpt_band { BAND_ALL, BAND_LONG, BAND_SHORT, BANDS };

/* Statistics over a band or of one length, in ps. */
struct sweep_stats {
	size_t sleeps, early;           /* early: ended before their time by the caller's own readings */
	struct stats miss;           /* time around the call minus the length */
	struct stats deadline_miss;  /* end minus target, of sleeps with a target; else count is 0 */
	/*
	 * T2 - T1 and T4 - T3 if known; else count is 0. The caller sees neither of libhpt's: the exit of both ways is
	 * hpt_sleep_until_ticks()'s end minus its target, and the entry of hpt_sleep_ns() its miss less this, by
	 * rounds.
	 */
	struct stats entry, exit;
	bool entry_is_derived, exit_is_derived;
	int64_t cpu_ppm, user_ppm, system_ppm; /* of the time slept */
	int64_t split_us;               /* user and system time that these two shares stand for */
};

struct sweep {
	struct sweep_plan plan;
	struct stopwatch watch;     /* the clock that is slept on */
	int64_t lengths_ns[SWEEP_LENGTHS_MAX];
	int64_t lengths_ticks[SWEEP_LENGTHS_MAX];
	unsigned n_lengths;
	int64_t jiffy_ns;         /* 1/HZ; 4 ms if the kernel does not state HZ */
	unsigned n_ways;                /* of sleep_candidates[], measured or not: see sweep_has() */
	struct sleep_times *samples; /* see sweep_times() */
	uint32_t disturbed;             /* sleeps of libhpt that reported that counter and clock diverged */
	struct hpt_sleep_info learned;  /* margins of the measuring thread; size 0: unknown */
	int64_t start_unix_ns, elapsed_ns;
	_Atomic uint32_t rounds_done;   /* complete rounds ... */
	_Atomic uint32_t lengths_done;  /* ... and complete lengths of the incomplete round */
	int cpu;
	/* The rounds of an earlier run, which come first: see sweep_state.h. */
	uint32_t resumed_rounds, resumed_disturbed;
	int64_t resumed_ns;
	int64_t resumed_ticks[SWEEP_LENGTHS_MAX]; /* its lengths_ticks */
	/* Called by the measuring thread after each round; NULL: it is not. */
	void (*keep)(void *keeper, const struct sweep *s, uint32_t round);
	void *keeper;
	/* By sweep_summarise(). */
	struct sweep_stats (*bands)[BANDS];                   /* [way][band]; sleeps is 0 in an empty band */
	struct sweep_stats (*lengths)[SWEEP_LENGTHS_MAX];     /* [way][length] */
};

/* The names of sleep_candidates[], for choice.h. */
const char *sweep_name(unsigned way);

/* Is this way measured? The others have no samples. */
bool sweep_has(const struct sweep *s, unsigned way);

/* The measured way that comes first. */
unsigned sweep_first(const struct sweep *s);

/* The number of sleeps of this length that each way has made. */
uint32_t sweep_rounds(const struct sweep *s, unsigned length);

struct sleep_times *sweep_times(const struct sweep *s, unsigned way, uint32_t round, unsigned length);

/* Makes an ended sleep @more_ticks longer, and so its target. */
void sweep_shift(struct sleep_times *t, int64_t more_ticks);

/* The expected time of the whole run in ns, for the progress bar. */
int64_t sweep_estimate_ns(const struct sweep *s);

/* Returns 0, or -ERANGE: the plan is impossible. */
int sweep_prepare(const struct sweep_plan *plan, struct sweep *ret);

/* For worker_run(): @data is a struct sweep. */
void sweep_measure(void *data, struct worker *w);

/* Measures the rounds with s->n_ways of any ways. lengths_ticks must be set. */
void sweep_run(struct sweep *s, const struct sleep_candidate *ways, struct worker *w);

/* 1/HZ; 4 ms if the kernel does not state HZ. */
int64_t sweep_jiffy_ns(void);

#endif
