/* SPDX-License-Identifier: MIT */
/* A progress bar on standard error, on a terminal only. */
#ifndef HPT_TOOLS_PROGRESS_H
#define HPT_TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* False: standard error is no terminal that can show a bar. */
bool hpt_progress_is_shown(void);

/* Redraws the bar: @done of @total, and the time left if @left_ns is not negative. */
void hpt_progress_show(const char *what, int64_t done, int64_t total, int64_t left_ns);

/* Erases the bar. */
void hpt_progress_clear(void);

#endif
