/* SPDX-License-Identifier: MIT */
/* The value of LD_PRELOAD, a list that is separated by colons and blanks. Pure functions, but for memory. */
#ifndef HPT_TOOLS_PRELOAD_LIST_H
#define HPT_TOOLS_PRELOAD_LIST_H

#include <stdbool.h>

/* False: the list has no way to write this path. */
bool hpt_preload_list_can_have(const char *path);

/*
 * Returns "FIRST:EXISTING:LAST", without those that are NULL or "", and without those that the existing list has. To be
 * freed.
 */
char *hpt_preload_list_new(const char *first, const char *existing, const char *last)
	__attribute__((returns_nonnull));

#endif
