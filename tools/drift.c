// SPDX-License-Identifier: MIT
/* Two marks some time apart: the middles give the rate, the brackets what is uncertain of it. */
#include "drift.h"

#include <time.h>

#define TRIES 64

/* What a bracket does not show: the reference counts whole nanoseconds. */
#define REF_STEP_NS 1.0

static int64_t raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

void hpt_drift_mark(hpt_clock *clk, struct hpt_drift_mark *ret)
{
	struct hpt_drift_mark m;

	for (int i = 0; i < TRIES; i++) {
		m.before = hpt_now(clk);
		m.raw_ns = raw_ns();
		m.after = hpt_now(clk);
		if (!i || m.after - m.before < ret->after - ret->before)
			*ret = m;
	}
}

static double middle(const struct hpt_drift_mark *m)
{
	return (double)(m->after - m->before) / 2;
}

static int64_t whole(double ppb)
{
	return ppb > 1e18 ? INT64_MAX : ppb < -1e18 ? INT64_MIN : (int64_t)(ppb + (ppb < 0 ? -0.5 : 0.5));
}

struct hpt_drift hpt_drift_between(const struct hpt_drift_mark *first, const struct hpt_drift_mark *last, double ns_a_tick)
{
	struct hpt_drift d = { .raw_ns = last->raw_ns - first->raw_ns };
	double ticks, doubt_ns;

	if (d.raw_ns <= 0)
		return (struct hpt_drift){ 0 };
	ticks = (double)(last->before - first->before) + middle(last) - middle(first);
	doubt_ns = (middle(last) + middle(first) + 1) * ns_a_tick + REF_STEP_NS;
	d.error_ppb = whole((ticks * ns_a_tick / (double)d.raw_ns - 1) * 1e9);
	d.uncertainty_ppb = (uint64_t)whole(doubt_ns / (double)d.raw_ns * 1e9);
	return d;
}
