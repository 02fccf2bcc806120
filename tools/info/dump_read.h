/* SPDX-License-Identifier: MIT */
/* CPUID dumps from files of any kind. */
#ifndef HPT_TOOLS_DUMP_READ_H
#define HPT_TOOLS_DUMP_READ_H

#include <stdbool.h>

#include "info/dump.h"

/* Reads the first logical CPU in a file; "-" is stdin. On false see ->line and ->wrong. */
bool dump_read(struct dump *dump, const char *path);

#endif
