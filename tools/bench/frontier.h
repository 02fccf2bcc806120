/* SPDX-License-Identifier: MIT */
/*
 * hpt bench sleep --frontier: what a way to sleep costs, and how often it is late, beside the others: the policies of
 * libhpt, the kernel's own sleep, and two rules that spin. On idle CPUs that halt, and on CPUs that are held awake.
 */
#ifndef HPT_TOOLS_FRONTIER_H
#define HPT_TOOLS_FRONTIER_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/paced.h"
#include "bench/worker.h"

enum { FRONTIER_FRUGAL, FRONTIER_BALANCED, FRONTIER_STRICT, FRONTIER_KERNEL, FRONTIER_SPIN_SLEEP, FRONTIER_PAPERS,
       FRONTIER_WAYS };

/* Idle CPUs as they are, which a guest gives back to its host; and held awake by /dev/cpu_dma_latency. */
enum { FRONTIER_IDLE, FRONTIER_AWAKE, FRONTIER_REGIMES };

/* A sleep whose spin caught the wake ends within 0.1 us: one that is later than this was late to wake. */
#define FRONTIER_LATE_NS 1000

#define FRONTIER_ROUNDS      10 /* 73 s with both regimes */
#define FRONTIER_ROUNDS_LONG 40

struct frontier {
	struct paced paced;             /* row REGIME * FRONTIER_WAYS + WAY of the first rate */
	unsigned n_regimes;             /* 1: CPUs cannot be held awake ... */
	int awake_error;                /* ... for this reason, a negative errno */
	uint64_t late[FRONTIER_REGIMES][FRONTIER_WAYS]; /* sleeps; by frontier_summarise() */
};

extern const char *const frontier_regimes[FRONTIER_REGIMES];
extern const struct sleep_candidate frontier_ways[FRONTIER_REGIMES * FRONTIER_WAYS];

/* As paced_prepare(). The plan's set is chosen here. */
int frontier_prepare(const struct paced_plan *plan, struct frontier *ret);

/* For worker_run(): @data is a struct frontier. */
void frontier_measure(void *data, struct worker *w);

/* False: no round is complete. */
bool frontier_summarise(void *frontier);

static inline const struct paced_row *frontier_row(const struct frontier *f, unsigned regime, unsigned way)
{
	return &f->paced.rows[0][regime * FRONTIER_WAYS + way];
}

#endif
