/* SPDX-License-Identifier: MIT */
/*
 * What the wall of a process stated while it ran, as intervals that contain UTC at a moment of its clock, and what
 * follows for the moments between them: the clock's rate is wrong by at most rate_ppb.
 */
#ifndef HPT_TOOLS_WALLS_H
#define HPT_TOOLS_WALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a wall assumes where nothing is known: the default of hpt_wall_config.rate_ppb. */
#define WALLS_RATE_PPB 50000

/*
 * CLOCK_MONOTONIC, the OS source's line, runs up to 10 % further off by adjtimex(2)'s tick, 500 ppm by its freq, and
 * 500 ppm by adjtime(3).
 */
#define WALLS_SLEW_OS_PPB (100000000 + 500000 + 500000)

struct walls_point {
	uint64_t generation;            /* of the time bases; nothing follows for others */
	uint64_t wall_generation;       /* the wall's own; nor for others of these */
	size_t   group;                 /* of points that go together, by walls_settle() */
	int64_t  ns, error_ns;          /* on the clock's line, and how far that may be off */
	int64_t  earliest_ns, latest_ns; /* UTC then */
	uintmax_t line;                 /* of the trace */
};

struct walls {
	int64_t rate_ppb;
	struct walls_point *points;
	size_t n, room;
	size_t n_contradictions;
	uintmax_t first_contradiction;  /* the line of the first */
};

/* The interval becomes wider by the point's error. */
void walls_add(struct walls *w, const struct walls_point *point);
void walls_free(struct walls *w);

/*
 * Sorts the intervals, and narrows each to what its neighbours leave. One that has nothing in common with those before
 * it is counted as a contradiction, and nothing follows from one side of it for the other.
 */
void walls_settle(struct walls *w);

/*
 * The interval at ret's generation, ns and error_ns: by what was stated before, and after that in the same group.
 * False: nothing was stated in this generation.
 */
bool walls_at(const struct walls *w, struct walls_point *ret);

#endif
