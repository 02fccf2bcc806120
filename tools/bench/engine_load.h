/* SPDX-License-Identifier: MIT */
/* The bench of sleeps beside a load: paced.h. */
#ifndef HPT_BENCH_ENGINE_LOAD_H
#define HPT_BENCH_ENGINE_LOAD_H

#include "bench/engine.h"

extern const struct hpt_engine hpt_engine_load;

#endif
