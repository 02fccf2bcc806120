/* SPDX-License-Identifier: MIT */
/* Percentiles in the format that HdrHistogram's plotters read. */
#ifndef HPT_TOOLS_HGRM_H
#define HPT_TOOLS_HGRM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Of samples in ps, in any order; values are written in nanoseconds. */
void hgrm_write(const int64_t *ps, size_t n, FILE *to);

#endif
