/* SPDX-License-Identifier: MIT */
/*
 * The mult and shift of Linux's clocksources. The kernel registers a TSC in whole kilohertz and most other counters in
 * whole hertz, so that few rates are possible. Pure arithmetic.
 */
#ifndef HPT_KERNEL_RATE_H
#define HPT_KERNEL_RATE_H

#include <stdint.h>

#include "source/source.h" /* the units, HPT_KERNEL_KHZ and HPT_KERNEL_HZ */

/* In `ticks` CLOCK_MONOTONIC_RAW advances by exactly (ticks * mult) >> shift ns; the kernel never changes this rate. */
struct hpt_kernel_rate {
	uint32_t mult, shift;
};

/* The mult and shift that the kernel computes for a counter of `rate` >= 1 units, of more than 32 bits. */
struct hpt_kernel_rate hpt_kernel_rate_of(uint32_t rate, uint32_t unit_hz);

/* Its frequency in micro-hertz, rounded down. */
uint64_t hpt_kernel_rate_uhz(struct hpt_kernel_rate rate);

/*
 * How many of the kernel's rates are within [lo_uhz, hi_uhz]: 0, 1, or 2 for more than one and for a range that is too
 * wide to be searched. *ret is that rate where there is one.
 */
uint32_t hpt_kernel_rates_within(uint64_t lo_uhz, uint64_t hi_uhz, uint32_t unit_hz, struct hpt_kernel_rate *ret);

#endif
