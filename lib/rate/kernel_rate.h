/* SPDX-License-Identifier: MIT */
/* The rates that a kernel that keeps time with the TSC can have: whole kilohertz, as mult and shift. Pure arithmetic. */
#ifndef HPT_KERNEL_RATE_H
#define HPT_KERNEL_RATE_H

#include <stdbool.h>
#include <stdint.h>

/* CLOCK_MONOTONIC_RAW is (ticks * mult) >> shift, exactly and for ever. */
struct hpt_kernel_rate {
	uint32_t mult, shift;
};

/* What the kernel makes of a TSC of this many kilohertz; khz >= 1. */
struct hpt_kernel_rate hpt_kernel_rate_of(uint32_t khz);

/* Its frequency in micro-hertz, rounded down. */
uint64_t hpt_kernel_rate_uhz(struct hpt_kernel_rate rate);

/* True, with the rate, if the kernel can have exactly one within [lo, hi] micro-hertz. */
bool hpt_kernel_rate_within(uint64_t lo_uhz, uint64_t hi_uhz, struct hpt_kernel_rate *ret);

/* The same among rates of whole megahertz. */
bool hpt_kernel_rate_round(uint64_t lo_uhz, uint64_t hi_uhz, struct hpt_kernel_rate *ret);

#endif
