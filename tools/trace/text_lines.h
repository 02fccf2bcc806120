/* SPDX-License-Identifier: MIT */
/* Lines of a file, read by a buffer of bounded size. */
#ifndef HPT_TOOLS_TEXT_LINES_H
#define HPT_TOOLS_TEXT_LINES_H

#include <stddef.h>
#include <stdint.h>

#define LINES_MOST    16384u     /* bytes of the longest line */
#define LINES_SKIPPED (1u << 24) /* of one that is passed over; /dev/zero has no line end */

enum lines_state {
	LINES_WHOLE,
	LINES_CUT,      /* the last one, without a line end: perhaps only a part was written */
	LINES_LONG,     /* longer than LINES_MOST, and passed over */
	LINES_ENDLESS,  /* no line end within LINES_SKIPPED either */
	LINES_END,
	LINES_FAILED,   /* error has the errno */
};

struct lines {
	int fd, error;
	uintmax_t number;               /* of the line that was read last, from 1 on */
	uint64_t bytes_read;
	size_t from, to;
	char bytes[4 * LINES_MOST + 1];
};

void lines_open(struct lines *l, int fd);

/*
 * The next line without its end, with a NUL after it; it stays until the next call. *text and *n are set for WHOLE and
 * CUT alone.
 */
enum lines_state lines_next(struct lines *l, char **text, size_t *n);

#endif
