/* SPDX-License-Identifier: MIT */
/* The bench of wakes and tickers: wakes.h. */
#ifndef HPT_TOOLS_ENGINE_WAKE_H
#define HPT_TOOLS_ENGINE_WAKE_H

#include "bench/engine.h"

extern const struct engine engine_wake;

#endif
