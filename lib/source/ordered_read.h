/* SPDX-License-Identifier: MIT */
/* The choice between the ordered reads of a source, by their cost. */
#ifndef HPT_ORDERED_READ_H
#define HPT_ORDERED_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "source/read_cost.h"
#include "source/source.h"

/* True if the second ordered read is cheaper than the first by more than a tie. Given in any unit; 0: not known. */
bool hpt_ordered_read_prefers_second(uint64_t first, uint64_t second);

/*
 * Times the source's ordered read by n differences, a multiple of 16. If the source has two ordered reads, each gets
 * half of the differences, and the cheaper one becomes src->order. Returns how many of the differences are of
 * src->read: they come first in ret_deltas.
 */
uint32_t hpt_ordered_read_choose(struct hpt_source *src, int64_t *ret_deltas, uint32_t n);

/*
 * The costs by n differences, of which the first `own` are of the read that was chosen. *ret_other is the mean cost of
 * the other read in thousandths of a tick; 0 if own is n. Sorts the differences.
 */
void hpt_ordered_read_cost(int64_t *deltas, uint32_t own, uint32_t n, struct hpt_read_cost *ret, uint64_t *ret_other);

#endif
