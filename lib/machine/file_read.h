/* SPDX-License-Identifier: MIT */
/* Reads the small files by which the kernel and its drivers state things. */
#ifndef HPT_FILE_READ_H
#define HPT_FILE_READ_H

#include <stddef.h>
#include <sys/types.h>

/* Opens a file for reading, and does not wait for a FIFO. Returns a descriptor, or -1. */
int hpt_path_open(const char *path);

/* Reads up to `size` bytes of a file, and does not wait for a FIFO. Returns their number; negative: unreadable. */
ssize_t hpt_file_read(const char *path, char *buf, size_t size);

#endif
