// SPDX-License-Identifier: MIT
/* Linear functions in 64.64 fixed point: lib/math/line.h. */
#include "math/line.h"

#define FS_PER_NS 1000000

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

struct hpt_line hpt_line_through(uint64_t tick, struct hpt_fixed at, struct hpt_scale slope)
{
	struct hpt_fixed before = hpt_slope_times(tick - hpt_window_start(tick), slope);

	return (struct hpt_line){ .slope = slope, .at = hpt_fixed_sub(at, before) };
}

struct hpt_fixed hpt_line_at(const struct hpt_line *line, uint64_t in_window, uint64_t tick)
{
	return hpt_fixed_add(line->at, hpt_slope_times(tick - hpt_window_start(in_window), line->slope));
}

struct hpt_scale hpt_slope_bent(struct hpt_scale slope, int64_t fs, uint64_t ticks)
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
