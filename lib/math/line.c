// SPDX-License-Identifier: MIT
/* Linear functions in 64.64 fixed point: lib/math/line.h. */
#include "math/line.h"
#include "math/units.h"

#include <stdbool.h>

#include "arch/arch.h"

struct hpt_fixed hpt_fixed_add(struct hpt_fixed a, struct hpt_fixed b)
{
	struct hpt_fixed sum = { .ns = a.ns + b.ns, .frac = a.frac + b.frac };

	sum.ns += sum.frac < a.frac;
	return sum;
}

struct hpt_fixed hpt_fixed_sub(struct hpt_fixed a, struct hpt_fixed b)
{
	return (struct hpt_fixed){ .ns = a.ns - b.ns - (a.frac < b.frac), .frac = a.frac - b.frac };
}

struct hpt_fixed hpt_fixed_of_fs(int64_t fs)
{
	int64_t ns = fs / FS_PER_NS, rest = fs % FS_PER_NS;

	if (rest < 0) {
		ns--;
		rest += FS_PER_NS;
	}
	/* Rounded up, because hpt_fixed_fs() rounds down. */
	return (struct hpt_fixed){ .ns = (uint64_t)ns, .frac = (uint64_t)rest * (UINT64_MAX / FS_PER_NS + 1) };
}

int64_t hpt_fixed_fs(struct hpt_fixed f)
{
	struct hpt_wide fs = hpt_wide_product((int64_t)f.ns, FS_PER_NS);
	int64_t narrow = (int64_t)f.ns < 0 ? INT64_MIN : INT64_MAX;
	uint64_t rest;

	(void)hpt_mul_wide(f.frac, FS_PER_NS, &rest);
	(void)hpt_wide_narrow(hpt_wide_add(fs, hpt_wide_of((int64_t)rest)), &narrow);
	return narrow;
}

struct hpt_fixed hpt_slope_times(uint64_t ticks, struct hpt_scale slope)
{
	struct hpt_fixed f;

	f.frac = hpt_mul_wide(ticks, slope.frac, &f.ns);
	f.ns += ticks * slope.whole;
	if ((int64_t)ticks < 0) /* the product above took it for 2^64 more */
		f.ns -= slope.frac;
	return f;
}

COLD struct hpt_line hpt_line_through(uint64_t tick, struct hpt_fixed at, struct hpt_scale slope)
{
	struct hpt_fixed before = hpt_slope_times(tick - hpt_window_start(tick), slope);

	return (struct hpt_line){ .slope = slope, .at = hpt_fixed_sub(at, before) };
}

struct hpt_fixed hpt_line_at(const struct hpt_line *line, uint64_t in_window, uint64_t tick)
{
	return hpt_fixed_add(line->at, hpt_slope_times(tick - hpt_window_start(in_window), line->slope));
}

static bool is_positive(struct hpt_fixed f)
{
	return (int64_t)f.ns > 0 || (!f.ns && f.frac);
}

uint64_t hpt_line_tick(const struct hpt_line *line, uint64_t in_window, int64_t ns)
{
	const struct hpt_fixed target = { .ns = (uint64_t)ns, .frac = UINT64_C(1) << 63 };
	const struct hpt_fixed slope = { .ns = line->slope.whole, .frac = line->slope.frac };
	struct hpt_fixed from = hpt_line_at(line, in_window, in_window), off;
	uint64_t tick = in_window + hpt_scale_divide(hpt_wide_of((int64_t)((uint64_t)ns - from.ns)), line->slope).lo;

	/* The division left out the fractions, which are worth a few ticks. */
	off = hpt_fixed_sub(target, hpt_line_at(line, in_window, tick));
	for (; is_positive(hpt_fixed_sub(hpt_fixed_add(off, off), slope)); tick++)
		off = hpt_fixed_sub(off, slope);
	for (; !is_positive(hpt_fixed_add(hpt_fixed_add(off, off), slope)); tick--)
		off = hpt_fixed_add(off, slope);
	return tick;
}

struct hpt_wide hpt_ray_ns(const struct hpt_ray *ray, int64_t t)
{
	struct hpt_wide ticks = hpt_wide_subtract(hpt_wide_of(t), hpt_wide_of(ray->tick));

	return hpt_wide_add(hpt_scale_wide(ticks, ray->slope), hpt_wide_of(ray->ns));
}

int hpt_ray_tick(const struct hpt_ray *ray, struct hpt_wide ns, int64_t *ret)
{
	struct hpt_wide age_ns = hpt_wide_subtract(ns, hpt_wide_of(ray->ns));

	/* Division, not the inverse factor, makes this the inverse of hpt_ray_ns() to the last tick. */
	return hpt_wide_narrow(hpt_wide_add(hpt_scale_divide(age_ns, ray->slope), hpt_wide_of(ray->tick)), ret);
}

COLD struct hpt_scale hpt_slope_bent(struct hpt_scale slope, int64_t fs, uint64_t ticks)
{
	const double two64 = 18446744073709551616.0;
	double s = (double)slope.whole + (double)slope.frac / two64;
	double more = (double)fs / FS_PER_NS / (double)ticks;
	uint64_t frac;

	more = more > s ? s : more < -s / 2 ? -s / 2 : more;
	slope.whole += (uint64_t)(int64_t)more;
	more = (more - (double)(int64_t)more) * two64;
	frac = slope.frac;
	if (more >= 0) {
		slope.frac += more < two64 ? (uint64_t)more : UINT64_MAX;
		slope.whole += slope.frac < frac;
	} else {
		slope.frac -= -more < two64 ? (uint64_t)-more : UINT64_MAX;
		slope.whole -= slope.frac > frac;
	}
	return slope;
}
