/* SPDX-License-Identifier: MIT */
/* The cost of one read and the step of a counter, from the differences of consecutive reads. */
#ifndef HPT_READ_COST_H
#define HPT_READ_COST_H

#include <stdint.h>

#include "source/source.h"

#define HPT_READ_COST_SAMPLES 256u /* wanted at least after peaks are dropped (the papers' n) */
#define HPT_READ_COST_READS   320u /* taken for that: room for a fifth of them to be peaks */

/* In thousandths of a tick, so that a 0.4 ns tick keeps its picoseconds and no rate is needed. */
struct hpt_read_cost {
	uint64_t mean_mticks;
	uint64_t stddev_mticks;  /* n - 1 */
	uint64_t step_ticks;     /* the counter's own step, as far as the reads show it; 0: it never moved */
	uint64_t shortest_ticks; /* smallest difference above zero: nothing shorter can be told apart; 0: none */
	uint32_t samples;        /* behind mean and stddev */
	uint32_t dropped;        /* peaks, and differences below zero */
};

/*
 * Differences of n + 1 consecutive ordered reads; ends early after at least 32 once limit_ticks have
 * passed (0: no limit). Returns how many there are.
 */
uint32_t hpt_read_cost_deltas(const struct hpt_source *src, int64_t *ret_deltas, uint32_t n, uint64_t limit_ticks);

/*
 * Sorts the deltas. A peak is a difference of more than twice the median: preemption, interrupts, the
 * cold first read. Peaks and differences below zero are dropped. Where half the differences or more
 * are zero the counter is coarser than its reads: steps cannot be told from peaks, none is dropped.
 */
void hpt_read_cost_of(int64_t *deltas, uint32_t n, struct hpt_read_cost *ret);

/* Shell sort: qsort() may allocate. */
void hpt_read_cost_sort(int64_t *v, uint32_t n);

/* mticks of a source with this rate in picoseconds, saturating. */
uint64_t hpt_read_cost_ps(uint64_t mticks, uint64_t frequency_uhz);

#endif
