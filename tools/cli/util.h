/* SPDX-License-Identifier: MIT */
/*
 * Memory, formatted text and small files. Where memory is short, these end the command with a message and exit status
 * 1.
 */
#ifndef HPT_TOOLS_UTIL_H
#define HPT_TOOLS_UTIL_H

#include <stdarg.h>
#include <stddef.h>

/* Returns @p; NULL means that memory is short. */
void *xneed(void *p) __attribute__((returns_nonnull));

/* As calloc(), but never NULL, not even for 0 bytes. */
void *xcalloc(size_t n, size_t size) __attribute__((returns_nonnull));

/* As vasprintf() and asprintf(); free() the text. */
char *xvasprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0), returns_nonnull));
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2), returns_nonnull));

/* Opens a file to read. Does not wait for a FIFO's writer, but reads wait for the data of one that there is. */
int open_input(const char *path);

/* Reads the first line of a file without its end; "" if there is no such line. Does not wait for a FIFO's writer. */
void read_first_line(const char *path, char *ret, size_t size);

#endif
