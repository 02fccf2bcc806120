/* SPDX-License-Identifier: MIT */
/* How well hpt_ticker_wait(), and clock_nanosleep() to absolute times, keep a period. */
#ifndef HPT_TOOLS_PERIOD_H
#define HPT_TOOLS_PERIOD_H

#include "bench/wakes_run.h"

/* Allocates the samples. */
void period_prepare(struct wakes *s);

/* The expected time of all keepers, in ns. */
int64_t period_estimate_ns(const struct wakes *s);

/* False: the run must stop. */
bool period_measure(struct wakes_run *run);

/*
 * Corrects the latenesses of libhpt's ticker by the best estimate of its start, from all samples. Further calls change
 * nothing.
 */
void period_settle_start(struct wakes *s);

#endif
