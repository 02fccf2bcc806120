/* SPDX-License-Identifier: MIT */
/* Memory that the programs share which this process starts. */
#ifndef HPT_TOOLS_SHARED_FILE_H
#define HPT_TOOLS_SHARED_FILE_H

#include <stddef.h>

/*
 * Returns zeros, and puts their path, which leads to a descriptor of this process, into this variable of the
 * environment of programs that start later. NULL: errno.
 */
void *shared_file_new(const char *name, const char *variable, size_t size);

#endif
