/* SPDX-License-Identifier: MIT */
/* A histogram of how late ticks were. One thread adds; any thread may read at any time. */
#ifndef HPT_LATENESS_H
#define HPT_LATENESS_H

#include <stdatomic.h>
#include <stdint.h>

/* To 2^34 ns, 17 s; what is later is counted in the last bin. */
#define HPT_LATENESS_BINS 256

/* Zeros: nothing was added. */
struct hpt_lateness {
	_Atomic uint64_t longest_ns;
	_Atomic uint32_t bins[HPT_LATENESS_BINS];
};

/* Adds a tick that was late_ns late; a negative number counts as 0. Touches two cache lines. */
void hpt_lateness_add(struct hpt_lateness *l, int64_t late_ns);

/* A copy, of no use but for quantiles. */
struct hpt_lateness_copy {
	uint64_t all;
	int64_t longest_ns;
	uint32_t bins[HPT_LATENESS_BINS];
};

/* Copies the histogram and adds a tick that was late_ns late to the copy; negative: none. */
void hpt_lateness_get(const struct hpt_lateness *l, int64_t late_ns, struct hpt_lateness_copy *ret);

/* The lateness that a share of num / den of the ticks did not exceed, at most an eighth too long. 0: without ticks. */
int64_t hpt_lateness_quantile_ns(const struct hpt_lateness_copy *l, uint32_t num, uint32_t den);

#endif
