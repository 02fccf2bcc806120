/* SPDX-License-Identifier: MIT */
/* The value of LD_PRELOAD, a list that is separated by colons and blanks. Pure functions, but for memory. */
#ifndef HPT_TOOLS_PRELOAD_LIST_H
#define HPT_TOOLS_PRELOAD_LIST_H

#include <stdbool.h>

/* False: the list has no way to write this path. */
bool preload_list_can_have(const char *path);

/* Returns "EXISTING:PATH", or the list that exists if it has the path; to be freed. @existing: may be NULL. */
char *preload_list_new(const char *existing, const char *path)
	__attribute__((returns_nonnull));

#endif
