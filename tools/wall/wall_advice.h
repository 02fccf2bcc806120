/* SPDX-License-Identifier: MIT */
/* What a person can do about a source of bounds that gives nothing. */
#ifndef HPT_TOOLS_WALL_ADVICE_H
#define HPT_TOOLS_WALL_ADVICE_H

#include <stdint.h>

/* @source: HPT_WALL_SOURCE_, @reason: HPT_WALL_REASON_. Returns the middle of a sentence; NULL: nothing to do. */
const char *wall_advice(uint32_t source, uint32_t reason);

#endif
