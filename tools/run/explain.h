/* SPDX-License-Identifier: MIT */
/* Prints what "hpt run" found and what follows from it. */
#ifndef HPT_TOOLS_EXPLAIN_H
#define HPT_TOOLS_EXPLAIN_H

#include <stdio.h>

#include "run/launch.h"

/* @command: as it was called. After launch_prepare(). */
void explain_print(const struct launch *l, const struct launched *d, const char *command, FILE *to);

#endif
