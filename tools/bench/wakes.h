/* SPDX-License-Identifier: MIT */
/* hpt bench wake: how soon an interrupt ends a sleep, and how well a period is kept. */
#ifndef HPT_BENCH_WAKES_H
#define HPT_BENCH_WAKES_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/wakes_run.h"
#include "bench/worker.h"

/*
 * Call on the first thread, which may run on all CPUs of this process. Returns 0; -ERANGE: the plan is impossible; or
 * another errno.
 */
int hpt_wakes_prepare(const struct hpt_wakes_plan *plan, struct hpt_wakes *ret);

/* For hpt_worker_run(): @data is a struct hpt_wakes. One run at a time. */
void hpt_wakes_measure(void *data, struct hpt_worker *w);

/* Computes the statistics of a struct hpt_wakes. False: no round and no tick is complete. */
bool hpt_wakes_summarise(void *wakes);

#endif
