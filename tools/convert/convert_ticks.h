/* SPDX-License-Identifier: MIT */
/* hpt convert --timebase: ticks on standard input, times on standard output. */
#ifndef HPT_TOOLS_CONVERT_TICKS_H
#define HPT_TOOLS_CONVERT_TICKS_H

#include <stdbool.h>

/* What is printed of each tick. */
enum { HPT_CONVERT_UTC, HPT_CONVERT_NS, HPT_CONVERT_UNIX_NS, HPT_CONVERT_JSON };

/* Converts by the time bases in a file. `what` is the command's name. Returns the exit status. */
int hpt_convert_ticks(const char *what, const char *path, int form);

#endif
