/* SPDX-License-Identifier: MIT */
/* Reads the small files by which the kernel and its drivers state things. */
#ifndef HPT_FILE_READ_H
#define HPT_FILE_READ_H

#include <stddef.h>
#include <sys/types.h>

#include "machine/env.h"

/* The open() of the live environment, and of the command. */
int hpt_path_open(const char *path);

/* Reads up to `size` bytes of a file, and does not wait for a FIFO. Returns their number; negative: unreadable. */
ssize_t hpt_file_read(const struct hpt_env *env, const char *path, char *buf, size_t size);

#endif
