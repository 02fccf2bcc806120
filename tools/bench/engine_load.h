/* SPDX-License-Identifier: MIT */
/* The bench of sleeps beside a load: paced.h. */
#ifndef HPT_TOOLS_ENGINE_LOAD_H
#define HPT_TOOLS_ENGINE_LOAD_H

#include "bench/engine.h"

extern const struct engine engine_load;

#endif
