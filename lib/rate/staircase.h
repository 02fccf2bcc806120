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
 * *rates; each step is `step` ticks long. *ret is
 *  - the only rate that the kernel can have where the groups are a likely number of steps apart: is_kernels; or
 *  - where that number is sure, but several of the kernel's rates fit it, the middle between these.
 * Where the groups are not alike, every number that the rates allow counts as likely. Neither result is proven. False,
 * and *ret stays: the steps are too short or unequal, too many numbers of them are likely, several have a rate that
 * fits, or none has.
 */
bool hpt_staircase_rate(struct hpt_group old, struct hpt_group recent, uint64_t step, uint32_t unit_hz,
			struct hpt_rates rates, struct hpt_rate *ret);

/*
 * Those of the rates that two groups prove which are so near each other that only one number of steps is possible;
 * otherwise the rates as they are. Groups 40 us apart prove a rate to 1 or 2 ppm. With that, only one number of steps
 * is possible for groups 1 ms apart.
 */
struct hpt_rates hpt_staircase_rates(struct hpt_group old, struct hpt_group recent, uint64_t step,
				     struct hpt_rates rates);

/* A distance that is near enough; 0: the steps are too short. */
int64_t hpt_staircase_near_ns(uint64_t step, struct hpt_rates rates);

#endif
