/* SPDX-License-Identifier: MIT */
/* A sweep as a drawing: miss over length (log-log), and CPU time over length. */
#ifndef HPT_BENCH_PLOT_SWEEP_H
#define HPT_BENCH_PLOT_SWEEP_H

#include <stdio.h>

#include "plot/svg.h"

/* A whole SVG document, which can also stand within a page. @sweep: a struct hpt_sweep with its summary. */
void hpt_plot_sweep(const void *sweep, enum hpt_plot_form form, FILE *to);

#endif
