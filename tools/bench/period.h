/* SPDX-License-Identifier: MIT */
/* How well a period is kept by hpt_ticker_wait() and by clock_nanosleep() to absolute times. */
#ifndef HPT_BENCH_PERIOD_H
#define HPT_BENCH_PERIOD_H

#include "bench/wakes_run.h"

/* Makes room. */
void hpt_period_prepare(struct hpt_wakes *s);

/* ns that all keepers are expected to take. */
int64_t hpt_period_estimate_ns(const struct hpt_wakes *s);

/* False: leave off. */
bool hpt_period_measure(struct hpt_wakes_run *run);

/* By what has been measured: from when our ticker's lateness counts. Once; more calls change nothing. */
void hpt_period_settle_start(struct hpt_wakes *s);

#endif
