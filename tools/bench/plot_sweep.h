/* SPDX-License-Identifier: MIT */
/* A sweep as a drawing: miss over length (log-log), and CPU time over length. */
#ifndef HPT_TOOLS_PLOT_SWEEP_H
#define HPT_TOOLS_PLOT_SWEEP_H

#include <stdio.h>

#include "plot/svg.h"

/* A whole SVG document, which can also stand within a page. @sweep: a struct sweep with its summary. */
void plot_sweep(const void *sweep, enum plot_form form, FILE *to);

#endif
