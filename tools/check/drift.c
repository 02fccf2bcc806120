// SPDX-License-Identifier: MIT
/*
 * Measures the error of a clock's rate: drift.h. The rate comes from the middles of two brackets that lie some time
 * apart, its uncertainty from their widths.
 */
#include "check/drift.h"

#include <stdbool.h>
#include <time.h>

#include "cli/ticks.h"

#define TRIES 64

/* Few tries suffice where each takes long, as with a trapped counter or a slow system call. */
#define TRIES_MIN     3
#define TRIES_TIME_NS 1000000

static int64_t raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/*
 * A reference whose readings repeat is coarse. Its smallest advance is its step; if it never moved, a jiffy, which is
 * the longest step that clocks have. (clock_getres() states 1 ns for it where timers are of high resolution.)
 */
static int64_t raw_step_ns(const int64_t *raw, int n)
{
	struct timespec res = { 0 };
	int64_t least = 0;
	bool repeats = false;

	for (int i = 1; i < n; i++) {
		int64_t advance = raw[i] - raw[i - 1];

		repeats |= advance == 0;
		if (advance > 0 && (!least || advance < least))
			least = advance;
	}
	if (!repeats)
		return 1;
	if (!least && !clock_getres(CLOCK_MONOTONIC_COARSE, &res))
		least = (int64_t)res.tv_sec * 1000000000 + res.tv_nsec;
	return least ? least : 1;
}

static int64_t width(const struct drift_sample *m)
{
	return ticks_larger(ticks_minus(m->after, m->before), 0); /* 0 for a clock that runs backwards */
}

void drift_sample(hpt_clock *clk, struct drift_sample *ret)
{
	struct drift_sample m = { 0 };
	int64_t raw[TRIES];
	int n = 0;

	do {
		m.before = hpt_now(clk);
		raw[n] = m.raw_ns = raw_ns();
		m.after = hpt_now(clk);
		if (!n || width(&m) < width(ret))
			*ret = m;
		n++;
	} while (n < TRIES && (n < TRIES_MIN || raw[n - 1] - raw[0] < TRIES_TIME_NS));
	ret->raw_step_ns = raw_step_ns(raw, n);
}

static double middle(const struct drift_sample *m)
{
	return (double)width(m) / 2;
}

static int64_t whole(double ppb)
{
	return ppb > 1e18 ? INT64_MAX : ppb < -1e18 ? INT64_MIN : (int64_t)(ppb + (ppb < 0 ? -0.5 : 0.5));
}

struct drift drift_between(const struct drift_sample *first, const struct drift_sample *last,
				   double ns_a_tick, int64_t step_ns)
{
	struct drift d = { .raw_ns = last->raw_ns - first->raw_ns };
	double ticks, doubt_ns;

	if (d.raw_ns <= 0)
		return (struct drift){ 0 };
	ticks = (double)ticks_minus(last->before, first->before) + middle(last) - middle(first);
	doubt_ns = (middle(last) + middle(first) + 1) * ns_a_tick + (double)step_ns +
		   (double)(last->raw_step_ns > first->raw_step_ns ? last->raw_step_ns : first->raw_step_ns);
	d.error_ppb = whole((ticks * ns_a_tick / (double)d.raw_ns - 1) * 1e9);
	d.uncertainty_ppb = (uint64_t)whole(doubt_ns / (double)d.raw_ns * 1e9);
	return d;
}
