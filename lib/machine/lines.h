/* SPDX-License-Identifier: MIT */
/*
 * Reads a text file line by line into a buffer of the caller's. One read() of a file in /proc gives a page at most, so
 * a list of many mounts takes several.
 */
#ifndef HPT_LINES_H
#define HPT_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "machine/env.h"

struct hpt_lines {
	int    fd;       /* negative: unreadable */
	char  *buf;
	size_t size;
	size_t from, to; /* buf[from] to buf[to - 1] was read and not returned */
	size_t left;     /* bytes that may still be read */
	bool   is_long;  /* the line that began before `from` did not fit: the rest of it is passed over */
};

/*
 * No more of a file than this is read, so that a sleep which asks for the quota ends in time: 500 mounts. Those of
 * control groups are among the first of a machine or container. 1000 mounts took 7 ms.
 */
#define HPT_LINES_MOST 65536u

/* An unreadable file has no lines. A FIFO is not waited for. `size` is at least 2. May change errno. */
void hpt_lines_open(struct hpt_lines *l, const struct hpt_env *env, const char *path, char *buf, size_t size);

/*
 * The next line, without its newline, in the buffer; NULL: no more. Lines that do not fit into `size` bytes with
 * a newline and a NUL are passed over.
 */
char *hpt_lines_next(struct hpt_lines *l);

void hpt_lines_close(struct hpt_lines *l);

#endif
