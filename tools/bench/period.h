/* SPDX-License-Identifier: MIT */
/* How well hpt_ticker_wait(), and clock_nanosleep() to absolute times, keep a period. */
#ifndef HPT_BENCH_PERIOD_H
#define HPT_BENCH_PERIOD_H

#include "bench/wakes_run.h"

/* Allocates the samples. */
void hpt_period_prepare(struct hpt_wakes *s);

/* The expected time of all keepers, in ns. */
int64_t hpt_period_estimate_ns(const struct hpt_wakes *s);

/* False: the run must stop. */
bool hpt_period_measure(struct hpt_wakes_run *run);

/*
 * Corrects the latenesses of libhpt's ticker by the best estimate of its start, from all samples. Further calls change
 * nothing.
 */
void hpt_period_settle_start(struct hpt_wakes *s);

#endif
