/* SPDX-License-Identifier: MIT */
/* Percentiles as HdrHistogram's plotters read them. */
#ifndef HPT_BENCH_HGRM_H
#define HPT_BENCH_HGRM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Of samples in ps, in whatever order; values are written in nanoseconds. */
void hpt_hgrm_write(const int64_t *ps, size_t n, FILE *to);

#endif
