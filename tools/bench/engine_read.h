/* SPDX-License-Identifier: MIT */
/* The bench of reads: reads.h. */
#ifndef HPT_TOOLS_ENGINE_READ_H
#define HPT_TOOLS_ENGINE_READ_H

#include "bench/engine.h"

extern const struct engine engine_read;

#endif
