/* SPDX-License-Identifier: MIT */
/*
 * The file that "hpt wall --publish" writes: a segment of ClockBound's, which programs map. Functions that return false
 * have said why on standard error.
 */
#ifndef HPT_TOOLS_WALL_SEGMENT_H
#define HPT_TOOLS_WALL_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wall/wall_statement.h"

struct wall_segment {
	const char *path;
	int fd;                         /* locked: one publisher a file */
	size_t size;
	uint16_t generation;
	unsigned char bytes[HPT_CLOCKBOUND_V3_SIZE]; /* as they were written last */
};

/*
 * Opens the file and writes a statement. One that exists is kept, so that programs go on that have it mapped, and must
 * be a segment of the same version; a new one appears with the statement in it. All others stay as they are.
 */
bool wall_segment_open(struct wall_segment *seg, const char *path, const struct wall_statement *first);

bool wall_segment_write(struct wall_segment *seg, const struct wall_statement *s);

void wall_segment_close(struct wall_segment *seg);

#endif
