/* SPDX-License-Identifier: MIT */
/* Programs below "hpt run" that are left alone: those of "--exclude". Pure functions. */
#ifndef HPT_EXCLUDE_H
#define HPT_EXCLUDE_H

#include <stdbool.h>

/* True if the list, names with colons between, has the last part of this path. Each may be NULL. */
bool hpt_exclude_has(const char *list, const char *path);

#endif
