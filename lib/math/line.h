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

/*
 * The tick nearest to the middle of nanosecond ns by a line for the window that contains in_window; of two equally near
 * the earlier. So a tick of a nanosecond or longer comes back from its time rounded down.
 */
uint64_t hpt_line_tick(const struct hpt_line *line, uint64_t in_window, int64_t ns);

/* A line through a whole nanosecond: the form for ticks at any distance. */
struct hpt_ray {
	int64_t tick;           /* at this tick ... */
	int64_t ns;             /* ... it was this time */
	struct hpt_scale slope; /* ns per tick; not 0 */
};

/* The time of any tick, rounded to nearest. It may exceed int64. */
struct hpt_wide hpt_ray_ns(const struct hpt_ray *ray, int64_t t);

/*
 * The tick nearest to a time. Returns -ERANGE and leaves *ret untouched if that tick exceeds int64. For hpt_ray_ns(t)
 * the result is t again if a tick takes a nanosecond or longer; else it is within half a nanosecond and half a tick of
 * t.
 */
int hpt_ray_tick(const struct hpt_ray *ray, struct hpt_wide ns, int64_t *ret);

/* The slope that gains fs femtoseconds more (or fewer) over ticks > 0; between half and twice the given slope. */
struct hpt_scale hpt_slope_bent(struct hpt_scale slope, int64_t fs, uint64_t ticks);

#endif
