/* SPDX-License-Identifier: MIT */
/* Reads as a drawing: the distribution of the cost of each, and the cost over time. */
#ifndef HPT_TOOLS_PLOT_READS_H
#define HPT_TOOLS_PLOT_READS_H

#include <stdio.h>

#include "plot/svg.h"

/* A whole SVG document, which can also stand within a page. @reads: a struct reads with its summary. */
void plot_reads(const void *reads, enum plot_form form, FILE *to);

#endif
