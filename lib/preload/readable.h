/* SPDX-License-Identifier: MIT */
/* Whether memory that a program gave can be read: the kernel answers EFAULT for it, and a load here would crash. */
#ifndef HPT_READABLE_H
#define HPT_READABLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * True: the program has these bytes, at most a page. The thread's stack above the caller needs no system call. False:
 * it has not, or a filter forbids to ask. Keeps errno.
 */
bool hpt_is_readable(const void *memory, size_t bytes);

#endif
