/* SPDX-License-Identifier: MIT */
/* How well a period is kept by hpt_ticker_wait() and by clock_nanosleep() to absolute times. */
#ifndef HPT_BENCH_TICKER_H
#define HPT_BENCH_TICKER_H

#include "bench/wake_run.h"

/* Makes room. */
void hpt_tickers_prepare(struct hpt_wakes *s);

/* ns that all keepers are expected to take. */
int64_t hpt_tickers_estimate_ns(const struct hpt_wakes *s);

/* False: leave off. */
bool hpt_tickers_measure(struct hpt_wakes_run *run);

/* By what has been measured: from when our ticker's lateness counts. Once; more calls change nothing. */
void hpt_tickers_settle_start(struct hpt_wakes *s);

#endif
