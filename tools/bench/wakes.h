/* SPDX-License-Identifier: MIT */
/* hpt bench wake: how soon an interrupt ends a sleep, and how well a period is kept. */
#ifndef HPT_TOOLS_WAKES_H
#define HPT_TOOLS_WAKES_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/wakes_run.h"
#include "bench/worker.h"

/*
 * Call on the first thread, which may run on all CPUs of this process. Returns 0; -ERANGE: the plan is impossible; or
 * another errno.
 */
int wakes_prepare(const struct wakes_plan *plan, struct wakes *ret);

/* For worker_run(): @data is a struct wakes. One run at a time. */
void wakes_measure(void *data, struct worker *w);

/* Computes the statistics of a struct wakes. False: no round and no tick is complete. */
bool wakes_summarise(void *wakes);

#endif
