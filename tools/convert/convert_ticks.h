/* SPDX-License-Identifier: MIT */
/* hpt convert --timebase: ticks on standard input, times on standard output. */
#ifndef HPT_TOOLS_CONVERT_TICKS_H
#define HPT_TOOLS_CONVERT_TICKS_H

#include <stdbool.h>

/* What is printed of each tick. */
enum { CONVERT_UTC, CONVERT_NS, CONVERT_UNIX_NS, CONVERT_JSON };

/* Converts by the time bases in a file. `what` is the command's name. Returns the exit status. */
int convert_ticks(const char *what, const char *path, int form);

#endif
