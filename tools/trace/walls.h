/* SPDX-License-Identifier: MIT */
/*
 * What the wall of a process stated while it ran, as intervals that contain UTC at a moment of its clock, and what
 * follows for the moments between them: the clock's rate is wrong by at most WALLS_RATE_PPB.
 */
#ifndef HPT_TOOLS_WALLS_H
#define HPT_TOOLS_WALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a wall assumes where nothing is known: the default of hpt_wall_config.rate_ppb. */
#define WALLS_RATE_PPB 50000

struct walls_point {
	uint64_t generation;            /* of the time bases; nothing follows for others */
	int64_t  ns, error_ns;          /* on the clock's line, and how far that may be off */
	int64_t  earliest_ns, latest_ns; /* UTC then */
	uintmax_t line;                 /* of the trace */
};

struct walls {
	struct walls_point *points;
	size_t n, room;
};

void walls_add(struct walls *w, const struct walls_point *point);
void walls_free(struct walls *w);

/*
 * Sorts the intervals, and narrows each to what its neighbours leave. Returns 0, or the line of an interval that has
 * nothing in common with its neighbours.
 */
uintmax_t walls_settle(struct walls *w);

/* The interval at ret's generation, ns and error_ns. False: nothing was stated in this generation. */
bool walls_at(const struct walls *w, struct walls_point *ret);

#endif
