/* SPDX-License-Identifier: MIT */
/*
 * The rate by the counter's steps. A counter that moves by several nanoseconds at a time is a staircase, and a clock
 * that the kernel computes from it stands on the same steps. So two groups of brackets are a whole number of steps
 * apart, and within a group each reading of the clock, rounded down to 1 ns, bounds the exact time of every step: all
 * of them together to about 0.05 ns. The rate follows to 0.1 ppm from groups that are 1 ms apart, and among such rates
 * is seldom more than one that the kernel can have. Pure functions.
 */
#ifndef HPT_STAIRCASE_H
#define HPT_STAIRCASE_H

#include <stdbool.h>
#include <stdint.h>

#include "rate/interval.h"
#include "rate/sample.h"

/* Shorter steps are not told apart by readings that are rounded down to 1 ns. */
#define HPT_STAIRCASE_STEP_MIN_NS 3

/*
 * The rate of a counter that the kernel keeps time with and has registered in units of unit_hz. Both groups prove
 * *bound; each step is `step` ticks long. *ret is
 *  - the only rate that the kernel can have where the groups are a likely number of steps apart: is_kernels; or
 *  - where that number is sure, but several of the kernel's rates fit it, the middle between these.
 * Nothing proves either. False, and *ret stays: the steps are too short or unequal, several numbers of them are likely,
 * or no rate fits.
 */
bool hpt_staircase_rate(const struct hpt_bracket *old, uint32_t n_old, const struct hpt_bracket *recent,
			uint32_t n_recent, uint64_t step, uint32_t unit_hz, struct hpt_bound bound,
			struct hpt_rate *ret);

#endif
