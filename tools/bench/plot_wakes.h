/* SPDX-License-Identifier: MIT */
/* Wakes as a drawing: latencies of interrupts, and a ticker's lateness over time. */
#ifndef HPT_TOOLS_PLOT_WAKES_H
#define HPT_TOOLS_PLOT_WAKES_H

#include <stdio.h>

#include "plot/svg.h"

/* A whole SVG document, which can also stand within a page. @wakes: a struct wakes with its summary. */
void plot_wakes(const void *wakes, enum plot_form form, FILE *to);

#endif
