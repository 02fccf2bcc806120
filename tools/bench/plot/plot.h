/* SPDX-License-Identifier: MIT */
/* The figures: each a whole SVG document, or the same within a page. */
#ifndef HPT_BENCH_PLOT_H
#define HPT_BENCH_PLOT_H

#include <stdio.h>

#include "bench/reads.h"
#include "bench/sweep.h"
#include "bench/wakes.h"

/* Distribution of a read's cost per call, and cost over time with peaks. */
void hpt_plot_reads(const struct hpt_reads *r, FILE *to);

/* Miss over length (log-log) and CPU over length. */
void hpt_plot_sweep(const struct hpt_sweep *s, FILE *to);

/* Latencies of interrupts, and a ticker's lateness over time. */
void hpt_plot_wakes(const struct hpt_wakes *s, FILE *to);

#endif
