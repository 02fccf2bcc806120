/* SPDX-License-Identifier: MIT */
/* One bench from its beginning to all that was asked of it, or the three of them for a report. */
#ifndef HPT_BENCH_RUN_H
#define HPT_BENCH_RUN_H

#include <signal.h>

#include "bench/engine.h"
#include "bench/request.h"
#include "machine.h"
#include "out.h"

/* A bench that is measured. */
struct hpt_run {
	const struct hpt_engine *engine;
	void *data;
	int ended_by;                   /* the signal that cut it short, or 0 */
	bool has_figures;               /* summarised: there is something whole */
};

/* Opens what it needs. False: it cannot be measured, and that is said on stderr. */
bool hpt_run_prepare(struct hpt_run *run, const struct hpt_engine *e, const struct hpt_request *r);

/* Measures and summarises. False as above; true if a signal was in the way. */
bool hpt_run_measure(struct hpt_run *run, const struct hpt_request *r);

/* The bench's own object, with the version, the machine, and whether it was interrupted. */
json_t *hpt_run_json(const struct hpt_run *run, const struct hpt_machine *info);

/* Exit statuses: of one bench; of a report. */
int hpt_run_bench(const struct hpt_engine *e, const struct hpt_request *r);
/*
 * They are as they were before; those that came meanwhile are taken, for the output to be whole. Returns one of them, or 0;
 * none that is ignored.
 */
int hpt_run_release_signals(const sigset_t *before);

/* SIGINT, SIGTERM and SIGHUP wait until files are in place or gone; while a bench measures it hears them all the same. */
void hpt_run_hold_signals(sigset_t *ret_before);

/* False, and said: the library found at run time is too old. */
bool hpt_run_get_machine(const struct hpt_request *r, struct hpt_machine *ret);

#endif
