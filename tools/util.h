/* SPDX-License-Identifier: MIT */
/* Memory of the command: there is some, or the command ends. */
#ifndef HPT_TOOLS_UTIL_H
#define HPT_TOOLS_UTIL_H

#include <stddef.h>

/* As calloc(); without memory it says so on standard error and exits 1. */
void *hpt_calloc(size_t n, size_t size) __attribute__((returns_nonnull));

#endif
