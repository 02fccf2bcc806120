/* SPDX-License-Identifier: MIT */
/* Counts in bins of powers of two, as struct hpt_tally has them: bin k counts what is less than 2^k. Pure functions. */
#ifndef HPT_TOOLS_LATE_BINS_H
#define HPT_TOOLS_LATE_BINS_H

#include <stddef.h>
#include <stdint.h>

/* Saturates. */
uint64_t late_bins_total(const uint64_t *bins, size_t n);

/* The values that bin k counts are less than this. Saturates at INT64_MAX. */
int64_t late_bins_end(size_t k);

/*
 * At least @permille of the values are less than the result, which is the end of the bin that the quantile lies in.
 * 1000: all of them. 0 if there are no values.
 */
int64_t late_bins_below(const uint64_t *bins, size_t n, uint32_t permille);

#endif
