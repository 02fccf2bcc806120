/* SPDX-License-Identifier: MIT */
/* The bench of sleeps: sweep.h. */
#ifndef HPT_TOOLS_ENGINE_SLEEP_H
#define HPT_TOOLS_ENGINE_SLEEP_H

#include "bench/engine.h"

extern const struct engine engine_sleep;

#endif
