/* SPDX-License-Identifier: MIT */
/* A wall over time as a drawing: the width of its interval, and how far CLOCK_REALTIME is off UTC. */
#ifndef HPT_TOOLS_PLOT_WALL_H
#define HPT_TOOLS_PLOT_WALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "plot/svg.h"

/* A look. The last three are valid with has_bound. */
struct plot_wall_point {
	int64_t at_ns;
	bool has_bound;
	int64_t width_ns;
	int64_t ahead_min_ns, ahead_max_ns; /* CLOCK_REALTIME less UTC */
};

/* In order of time. @subtitle: of a file. */
struct plot_wall {
	const struct plot_wall_point *points;
	size_t n;
	const char *subtitle;
};

/* A whole SVG document, which can also stand within a page. */
void plot_wall(const struct plot_wall *wall, enum plot_form form, FILE *to);

#endif
