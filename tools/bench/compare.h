/* SPDX-License-Identifier: MIT */
/* hpt bench --compare: the results of one run compared with those of another. */
#ifndef HPT_TOOLS_COMPARE_H
#define HPT_TOOLS_COMPARE_H

#include <stdbool.h>

/*
 * Compares two files written by --json for the same bench, or two reports. Prints each result of both, the ratio of the
 * second to the first, and its noise band. Returns the exit status: 0; 3 if a result grew by more than the threshold
 * even at the favourable end of its band; 1 after one line on standard error if a file cannot be read, was not written
 * by hpt bench, or if the two have no result in common.
 */
int compare_files(const char *path_a, const char *path_b, double threshold, bool json);

#endif
