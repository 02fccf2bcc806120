/* SPDX-License-Identifier: MIT */
/* A straight line from ticks to nanoseconds in 64.64 fixed point: pure arithmetic, no rounding but at the end. */
#ifndef HPT_LINE_H
#define HPT_LINE_H

#include <stdint.h>

#include "math/scale.h"

/* Nanoseconds as ns + frac / 2^64; ns is two's complement. */
struct hpt_fixed {
	uint64_t ns;
	uint64_t frac;
};

/*
 * The line within one window of 2^32 ticks: at.ns + at.frac / 2^64 is the time of the window's first tick. With the
 * window known, a read needs the counter's low word alone: the high word is not waited for, which is two cycles.
 */
struct hpt_line {
	struct hpt_scale slope;
	struct hpt_fixed at;
};

#define HPT_WINDOW_TICKS (UINT64_C(1) << 32)

static inline uint64_t hpt_window_start(uint64_t tick)
{
	return tick & ~(HPT_WINDOW_TICKS - 1);
}

/* offset ticks past the window's start, rounded down: offset may be beyond the window. */
static inline int64_t hpt_line_ns(uint64_t offset, uint64_t whole, uint64_t frac, uint64_t at_ns, uint64_t at_frac)
{
	uint64_t hi, lo = hpt_mul_wide(offset, frac, &hi);

	return (int64_t)(at_ns + offset * whole + hi + (lo + at_frac < at_frac));
}

struct hpt_fixed hpt_fixed_add(struct hpt_fixed a, struct hpt_fixed b);
struct hpt_fixed hpt_fixed_sub(struct hpt_fixed a, struct hpt_fixed b);

/* fs femtoseconds, either sign; and back, saturating. 10^6 fs are 1 ns. */
struct hpt_fixed hpt_fixed_of_fs(int64_t fs);
int64_t hpt_fixed_fs(struct hpt_fixed f);

/* ticks, either sign (two's complement), times the slope; exact modulo 2^64 ns. */
struct hpt_fixed hpt_slope_times(uint64_t ticks, struct hpt_scale slope);

/* The line through (tick, at), as the window that holds tick sees it. */
struct hpt_line hpt_line_through(uint64_t tick, struct hpt_fixed at, struct hpt_scale slope);

/* The time of any tick on a line made for the window that holds in_window. */
struct hpt_fixed hpt_line_at(const struct hpt_line *line, uint64_t in_window, uint64_t tick);

/* slope changed so that over ticks > 0 it gains fs more (or less); never below half or above twice itself. */
struct hpt_scale hpt_slope_bent(struct hpt_scale slope, int64_t fs, uint64_t ticks);

#endif
