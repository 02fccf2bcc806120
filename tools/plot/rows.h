/* SPDX-License-Identifier: MIT */
/* Values as dots on one axis, a row for each name, with their numbers. */
#ifndef HPT_TOOLS_ROWS_H
#define HPT_TOOLS_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "plot/svg.h"

/* Times in ps; NAN: not known, and not drawn. */
struct plot_row {
	const char *group;              /* heads this row and the next ones; NULL: no heading */
	const char *name;
	bool is_ours;
	double dot, ring, stroke;
	double low, high;               /* a range about the dot */
	double numbers[2];
};

struct plot_rows {
	const char *label;              /* of the axis */
	const char *heads[2];           /* of the numbers */
	const struct plot_row *rows;
	size_t n;
};

/* Draws the rows from svg->y on, and moves it below them. */
void plot_rows(struct svg *svg, const struct plot_rows *rows);

#endif
