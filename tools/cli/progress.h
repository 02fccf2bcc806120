/* SPDX-License-Identifier: MIT */
/* A progress bar on standard error, on a terminal only. */
#ifndef HPT_TOOLS_PROGRESS_H
#define HPT_TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* False: standard error is no terminal that can show a bar. */
bool progress_is_shown(void);

/* Redraws the bar on one line of the terminal: @done of @total, and the time left if @left_ns is not negative. */
void progress_show(const char *what, int64_t done, int64_t total, int64_t left_ns);

/* The bar as text of at most @columns characters: first the bar gets shorter, then the text is cut. */
struct progress_line { char s[120]; };
void progress_format(const char *what, int percent, int64_t left_ns, int columns, struct progress_line *ret);

/* Erases the bar. */
void progress_clear(void);

#endif
