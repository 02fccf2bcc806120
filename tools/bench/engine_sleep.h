/* SPDX-License-Identifier: MIT */
/* The bench of sleeps: sweep.h. */
#ifndef HPT_BENCH_ENGINE_SLEEP_H
#define HPT_BENCH_ENGINE_SLEEP_H

#include "bench/engine.h"

extern const struct hpt_engine hpt_engine_sleep;

#endif
