/* SPDX-License-Identifier: MIT */
/* Wakes as a drawing: latencies of interrupts, and a ticker's lateness over time. */
#ifndef HPT_BENCH_PLOT_WAKES_H
#define HPT_BENCH_PLOT_WAKES_H

#include <stdio.h>

#include "plot/svg.h"

/* A whole SVG document, which can also stand within a page. @wakes: a struct hpt_wakes with its summary. */
void hpt_plot_wakes(const void *wakes, enum hpt_plot_form form, FILE *to);

#endif
