/* SPDX-License-Identifier: MIT */
/* The bench of the cost and the lateness of ways to sleep. */
#ifndef HPT_TOOLS_ENGINE_FRONTIER_H
#define HPT_TOOLS_ENGINE_FRONTIER_H

#include "bench/engine.h"

extern const struct engine engine_frontier;

#endif
