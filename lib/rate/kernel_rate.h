/* SPDX-License-Identifier: MIT */
/*
 * The mult and shift of Linux's TSC clocksource. The kernel registers a TSC in whole kilohertz, so that few rates are
 * possible. Pure arithmetic.
 */
#ifndef HPT_KERNEL_RATE_H
#define HPT_KERNEL_RATE_H

#include <stdbool.h>
#include <stdint.h>

/* In `ticks` CLOCK_MONOTONIC_RAW advances by exactly (ticks * mult) >> shift ns; the kernel never changes this rate. */
struct hpt_kernel_rate {
	uint32_t mult, shift;
};

/* The mult and shift that the kernel computes for a TSC of khz >= 1. */
struct hpt_kernel_rate hpt_kernel_rate_of(uint32_t khz);

/* Its frequency in micro-hertz, rounded down. */
uint64_t hpt_kernel_rate_uhz(struct hpt_kernel_rate rate);

/* True if exactly one of the kernel's rates is within [lo_uhz, hi_uhz]; *ret is that rate. */
bool hpt_kernel_rate_within(uint64_t lo_uhz, uint64_t hi_uhz, struct hpt_kernel_rate *ret);

/* The same for rates of whole megahertz alone. */
bool hpt_kernel_rate_round(uint64_t lo_uhz, uint64_t hi_uhz, struct hpt_kernel_rate *ret);

#endif
