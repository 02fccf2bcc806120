/* SPDX-License-Identifier: MIT */
/* The cost of one read and the step of a counter, from the differences between consecutive reads. */
#ifndef HPT_READ_COST_H
#define HPT_READ_COST_H

#include <stdint.h>

#include "source/source.h"

#define HPT_READ_COST_SAMPLES 256u /* needed after peaks are dropped */
#define HPT_READ_COST_READS   320u /* taken for them, of which a fifth may be peaks */

/* In thousandths of a tick, which needs no rate and keeps the picoseconds of a 0.4 ns tick. */
struct hpt_read_cost {
	uint64_t mean_mticks;
	uint64_t stddev_mticks;  /* with n - 1 */
	uint64_t step_ticks;     /* the counter's step, as far as the reads show it; 0: it never moved */
	uint64_t shortest_ticks; /* smallest difference above zero, the shortest time that reads resolve; 0: none */
	uint32_t samples;        /* in mean and stddev */
	uint32_t dropped;        /* peaks, and differences below zero */
};

/*
 * Takes n differences between n + 1 consecutive ordered reads. Ends early, after at least 32 differences, once
 * limit_ticks have passed (0: no limit). Returns the number of differences.
 */
uint32_t hpt_read_cost_deltas(const struct hpt_source *src, int64_t *ret_deltas, uint32_t n, uint64_t limit_ticks);

/*
 * Sorts the deltas and computes their statistics. A peak is a difference of more than twice the median: preemption,
 * interrupts, the cold first read. Peaks and differences below zero are dropped. If half the differences or more are
 * zero, the counter's step is longer than a read: steps then look like peaks, and no peak is dropped.
 */
void hpt_read_cost_of(int64_t *deltas, uint32_t n, struct hpt_read_cost *ret);

/*
 * The counter's step by n >= 1 differences between reads: the smallest distance between their clusters. Neighbours that
 * differ by at most 1 are in one cluster, because rounding to whole ticks splits one step into two values. A cluster
 * wider than 1 means that the step is smaller than the scatter of the reads: 1. A single cluster shows no step: 0.
 */
uint64_t hpt_read_cost_step(const int64_t *sorted, uint32_t n);

/* Sorts by Shell's method, because qsort() may allocate memory. */
void hpt_read_cost_sort(int64_t *v, uint32_t n);

/* Converts thousandths of a tick to picoseconds, saturating; 0 if the frequency is 0. */
uint64_t hpt_read_cost_ps(uint64_t mticks, uint64_t frequency_uhz);

#endif
