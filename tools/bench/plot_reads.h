/* SPDX-License-Identifier: MIT */
/* Reads as a drawing: the distribution of the cost of each, and the cost over time. */
#ifndef HPT_BENCH_PLOT_READS_H
#define HPT_BENCH_PLOT_READS_H

#include <stdio.h>

#include "plot/svg.h"

/* A whole SVG document, which can also stand within a page. @reads: a struct hpt_reads with its summary. */
void hpt_plot_reads(const void *reads, enum hpt_plot_form form, FILE *to);

#endif
