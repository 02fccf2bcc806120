/* SPDX-License-Identifier: MIT */
/* A bar on standard error while something takes its time; on a terminal only. */
#ifndef HPT_TOOLS_PROGRESS_H
#define HPT_TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* False: there is nobody to look at it. */
bool hpt_progress_is_shown(void);

/* Draws it anew: done of total, and the time left if @left_ns is not negative. */
void hpt_progress_show(const char *what, int64_t done, int64_t total, int64_t left_ns);

/* Takes it off the screen. */
void hpt_progress_clear(void);

#endif
