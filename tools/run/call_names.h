/* SPDX-License-Identifier: MIT */
/* The names of the functions that the object of "hpt run" replaces. */
#ifndef HPT_TOOLS_CALL_NAMES_H
#define HPT_TOOLS_CALL_NAMES_H

#include "preload/tally.h"

extern const char *const call_names[HPT_CALLS];

#endif
