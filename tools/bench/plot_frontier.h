/* SPDX-License-Identifier: MIT */
/* Ways to sleep as points: the CPU time of a sleep across, the share that is late upwards. */
#ifndef HPT_TOOLS_PLOT_FRONTIER_H
#define HPT_TOOLS_PLOT_FRONTIER_H

#include <stdio.h>

#include "plot/svg.h"

/* A whole SVG document. @frontier: a struct frontier with its summary. */
void plot_frontier(const void *frontier, enum plot_form form, FILE *to);

#endif
