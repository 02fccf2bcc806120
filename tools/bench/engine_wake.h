/* SPDX-License-Identifier: MIT */
/* The bench of wakes and tickers: wakes.h. */
#ifndef HPT_BENCH_ENGINE_WAKE_H
#define HPT_BENCH_ENGINE_WAKE_H

#include "bench/engine.h"

extern const struct hpt_engine hpt_engine_wake;

#endif
