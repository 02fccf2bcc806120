/* SPDX-License-Identifier: MIT */
/* One bench from the request to its output; report.h runs all three. */
#ifndef HPT_TOOLS_RUN_H
#define HPT_TOOLS_RUN_H

#include <signal.h>

#include "bench/conditions.h"
#include "bench/engine.h"
#include "bench/request.h"
#include "cli/disturbance.h"
#include "cli/out.h"
#include "info/machine.h"

/* A bench under way. */
struct run {
	const struct engine *engine;
	void *data;
	struct disturbance disturbance;
	int ended_by;                   /* the signal that ended it early, or 0 */
	bool has_results;               /* there are complete rounds, and statistics of them */
};

/* Prepares the bench. False: it cannot be measured, reported on stderr. */
bool run_prepare(struct run *run, const struct engine *e, const struct request *r);

/* Measures and summarises. False as above; true if a signal ended it early. */
bool run_measure(struct run *run, const struct request *r);

/* The first members of each JSON object: which bench, when, where, and under which conditions. */
json_t *run_json_head(const char *bench, int64_t start_unix_ns, bool is_interrupted,
			  const struct conditions *conditions, const struct machine *info);

/* The bench's JSON object: the head, whether it was disturbed, and the results. */
json_t *run_results_json(const struct run *run, const struct conditions *conditions,
		     const struct machine *info);

/* Returns the exit status. */
int run_bench(const struct engine *e, const struct request *r);

/*
 * Restores the signal mask, after consuming the signals that came meanwhile, so that the output is complete. Returns
 * one of these, if it is not ignored, or 0.
 */
int run_release_signals(const sigset_t *before);

/*
 * Blocks SIGINT, SIGTERM and SIGHUP until the files are in place or removed; a bench still reacts to them while it
 * measures.
 */
void run_hold_signals(sigset_t *ret_before);

/* False, and reported on stderr: the library found at run time is too old. */
bool run_get_machine(const struct request *r, struct machine *ret);

#endif
