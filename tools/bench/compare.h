/* SPDX-License-Identifier: MIT */
/* hpt bench --compare: two runs beside each other. */
#ifndef HPT_BENCH_COMPARE_H
#define HPT_BENCH_COMPARE_H

#include <stdbool.h>

/*
 * Files as --json writes them, of the same kind of bench, or reports. Prints each figure of both, the ratio second to
 * first and its noise band. Returns the exit status: 0; 1 if a figure grew by more than the threshold even at the
 * favourable end of its band; 2 after one line on standard error if a file cannot be read, is none of ours, or the two
 * have nothing in common.
 */
int hpt_compare(const char *path_a, const char *path_b, double threshold, bool json);

#endif
