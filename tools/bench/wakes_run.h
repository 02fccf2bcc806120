/* SPDX-License-Identifier: MIT */
/* A measurement of wakes under way: what its two halves share. */
#ifndef HPT_BENCH_WAKES_RUN_H
#define HPT_BENCH_WAKES_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/shuffle.h"
#include "bench/stopwatch.h"
#include "bench/wakes.h"

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
