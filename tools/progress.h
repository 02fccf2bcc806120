/* SPDX-License-Identifier: MIT */
/* A bar on standard error while something takes its time; on a terminal only. */
#ifndef HPT_TOOLS_PROGRESS_H
#define HPT_TOOLS_PROGRESS_H

#include <stdint.h>

/* Draws it anew: done of total. */
void hpt_progress_show(const char *what, int64_t done, int64_t total);

/* Takes it off the screen. */
void hpt_progress_clear(void);

#endif
