/* SPDX-License-Identifier: MIT */
/* Prints what "hpt run" found and what follows from it. */
#ifndef HPT_TOOLS_EXPLAIN_H
#define HPT_TOOLS_EXPLAIN_H

#include <stdio.h>

#include "run/launch.h"

/* @command: as it was called. After hpt_launch_prepare(). */
void hpt_explain_print(const struct hpt_launch *l, const struct hpt_launched *d, const char *command, FILE *to);

#endif
