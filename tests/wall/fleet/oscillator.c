// SPDX-License-Identifier: MIT
/* The counter of a simulated machine: oscillator.h. */
#include "oscillator.h"

#include "math/units.h"

/* Twice the rounding of a share of 50 ppm, so that the claim holds exactly. */
#define MARGIN_PPB 2

enum { STEADY, WALKS, JUMPS, HABITS };

static const uint64_t frequencies_hz[] = { 10000000, 19200000, 24000000, 1000000000, 2100000000, 3700000000 };

static void set_rate(struct oscillator *o, int64_t rate_ppb)
{
	struct hpt_scale slope = hpt_scale_of(o->hz, (uint64_t)(PPB + rate_ppb));

	o->rate_ppb = rate_ppb;
	o->slope = (struct hpt_wide){ slope.whole, slope.frac };
}

void oscillator_start(struct oscillator *o, struct stream *random, int64_t rate_ppb, int64_t wander_ppb, int64_t at_ns)
{
	int64_t band_ppb = wander_ppb - MARGIN_PPB, most_ppb = rate_ppb - MARGIN_PPB;

	if (band_ppb > 2 * most_ppb)
		band_ppb = 2 * most_ppb;
	*o = (struct oscillator){
		.hz = frequencies_hz[stream_below(random, sizeof(frequencies_hz) / sizeof(frequencies_hz[0]))],
		.habit = (uint32_t)stream_below(random, HABITS), .since_ns = at_ns,
	};
	o->least_ppb = stream_between(random, -most_ppb, most_ppb - band_ppb);
	o->most_ppb = o->least_ppb + band_ppb;
	set_rate(o, stream_between(random, o->least_ppb, o->most_ppb));
}

static struct hpt_wide ticks_at(const struct oscillator *o, int64_t at_ns)
{
	uint64_t passed_ns = (uint64_t)(at_ns - o->since_ns);
	struct hpt_wide p;

	p.lo = hpt_mul_wide(o->slope.lo, passed_ns, &p.hi);
	p.hi += o->slope.hi * passed_ns;
	return hpt_wide_add(o->ticks, p);
}

static int64_t walked_ppb(const struct oscillator *o, struct stream *random)
{
	int64_t step_ppb = (o->most_ppb - o->least_ppb) / 16;
	int64_t rate_ppb = o->rate_ppb + stream_between(random, -step_ppb, step_ppb);

	if (rate_ppb < o->least_ppb)
		return o->least_ppb;
	return rate_ppb > o->most_ppb ? o->most_ppb : rate_ppb;
}

void oscillator_drift(struct oscillator *o, struct stream *random, int64_t at_ns)
{
	if (o->habit == STEADY)
		return;
	o->ticks = ticks_at(o, at_ns);
	o->since_ns = at_ns;
	if (o->habit == WALKS)
		set_rate(o, walked_ppb(o, random));
	else if (stream_one_in(random, 4))
		set_rate(o, stream_one_in(random, 2) ? o->least_ppb : o->most_ppb);
}

int64_t oscillator_tick(const struct oscillator *o, int64_t at_ns)
{
	return (int64_t)ticks_at(o, at_ns).hi;
}
