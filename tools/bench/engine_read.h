/* SPDX-License-Identifier: MIT */
/* The bench of reads: reads.h. */
#ifndef HPT_BENCH_ENGINE_READ_H
#define HPT_BENCH_ENGINE_READ_H

#include "bench/engine.h"

extern const struct hpt_engine hpt_engine_read;

#endif
