/* SPDX-License-Identifier: MIT */
/*
 * Linear functions from ticks to nanoseconds, slope and offset, in 64.64 fixed point. Pure arithmetic: only the
 * result is rounded.
 */
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
 * The line within one window of 2^32 ticks: slope, and as offset the time of the window's first tick. A read in a known
 * window needs only the low word of the counter; not waiting for the high word saves two cycles.
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

/* Nanoseconds at `offset` ticks after the window's start, rounded down. offset may be beyond the window. */
static inline int64_t hpt_line_ns(uint64_t offset, uint64_t whole, uint64_t frac, uint64_t at_ns, uint64_t at_frac)
{
	uint64_t hi, lo = hpt_mul_wide(offset, frac, &hi);

	return (int64_t)(at_ns + offset * whole + hi + (lo + at_frac < at_frac));
}

struct hpt_fixed hpt_fixed_add(struct hpt_fixed a, struct hpt_fixed b);
struct hpt_fixed hpt_fixed_sub(struct hpt_fixed a, struct hpt_fixed b);

/* Converts femtoseconds of either sign, and back, saturating at the int64 range. 10^6 fs are 1 ns. */
struct hpt_fixed hpt_fixed_of_fs(int64_t fs);
int64_t hpt_fixed_fs(struct hpt_fixed f);

/* ticks (two's complement, of either sign) times the slope, exact modulo 2^64 ns. */
struct hpt_fixed hpt_slope_times(uint64_t ticks, struct hpt_scale slope);

/* The line through (tick, at), for the window that contains tick. */
struct hpt_line hpt_line_through(uint64_t tick, struct hpt_fixed at, struct hpt_scale slope);

/* The time of any tick by a line for the window that contains in_window. */
struct hpt_fixed hpt_line_at(const struct hpt_line *line, uint64_t in_window, uint64_t tick);

/* The slope that gains fs femtoseconds more (or fewer) over ticks > 0; between half and twice the given slope. */
struct hpt_scale hpt_slope_bent(struct hpt_scale slope, int64_t fs, uint64_t ticks);

#endif
