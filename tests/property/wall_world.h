/* SPDX-License-Identifier: MIT */
/*
 * A world for walls: a counter whose rate changes, UTC, and sources that state intervals of it. The truth is exact: a
 * moment is a whole number of quarters of a tick, and UTC a sum of products of 64 by 128 bits, in units of 2^-64 ns.
 */
#ifndef HPT_TEST_WALL_WORLD_H
#define HPT_TEST_WALL_WORLD_H

#include <string.h>

#include "unit.h"
#include "wide.h"

#include "math/ratio.h"
#include "wall/wall_record.h"

#define PER_TICK     4 /* moments in a tick */
#define SEGMENTS_MAX 64
#define DAY_NS       (86400 * NS_PER_S)

/* From this moment on UTC is utc + slope for each moment. */
struct segment {
	uint64_t moment;
	struct hpt_wide utc, slope;
};

static struct {
	uint64_t hz, step;            /* of the counter, in ticks */
	uint32_t rate_ppb, wander_ppb;
	struct hpt_wide ns_per_tick;  /* all in units of 2^-64 */
	struct hpt_wide least, most;  /* slopes of this generation, for a moment */
	uint64_t now;                 /* the moment */
	uint64_t offset;              /* the counter's value at moment 0 */
	struct segment segments[SEGMENTS_MAX];
	uint32_t n_segments;
	int64_t  leap_at_ns, leap;    /* as the record has them, in Unix time from before it */
} world;

/* ---- 128 bits ------------------------------------------------------------------------------------------------ */

static inline bool is_less_wide(struct hpt_wide a, struct hpt_wide b)
{
	return hpt_wide_is_negative(hpt_wide_subtract(a, b));
}

static inline struct hpt_wide times(struct hpt_wide slope, uint64_t n)
{
	struct hpt_wide p;

	p.lo = hpt_mul_wide(slope.lo, n, &p.hi);
	p.hi += slope.hi * n;
	return p;
}

static inline struct hpt_wide share(struct hpt_wide x, int64_t ppb)
{
	return hpt_ratio_floor(x, (uint64_t)(PPB + ppb), PPB);
}

static inline struct hpt_wide whole_ns(int64_t ns)
{
	return (struct hpt_wide){ .hi = (uint64_t)ns };
}

static inline int64_t floor_ns(struct hpt_wide utc)
{
	return (int64_t)utc.hi;
}

static inline int64_t ceiling_ns(struct hpt_wide utc)
{
	return (int64_t)utc.hi + (utc.lo > 0);
}

/* ---- Random numbers ------------------------------------------------------------------------------------------ */

static inline uint64_t log_uniform(uint64_t least, uint64_t most)
{
	uint64_t v = least << random_below(64 - (uint64_t)__builtin_clzll(most / least));

	v += random_below(v + 1);
	return v < most ? v : most;
}

static inline bool one_in(uint64_t n)
{
	return !random_below(n);
}

/* From a to b, often one of the two. */
static inline struct hpt_wide random_between(struct hpt_wide a, struct hpt_wide b)
{
	struct hpt_wide part;

	switch (random_below(4)) {
	case 0:
		return a;
	case 1:
		return b;
	default:
		part = times(hpt_wide_subtract(b, a), random_below(UINT64_C(1) << 30));
		return hpt_wide_add(a, (struct hpt_wide){ part.hi >> 30, part.hi << 34 | part.lo >> 30 });
	}
}

/* ---- Time ---------------------------------------------------------------------------------------------------- */

static inline uint64_t ticks_for(int64_t ns)
{
	return wide_ratio((uint64_t)ns, world.hz, NS_PER_S);
}

/* What the counter shows. */
static inline uint64_t shown(uint64_t moment)
{
	return world.offset + moment / PER_TICK / world.step * world.step;
}

/* The first moment at which the counter shows a tick; the next one's is that of tick + world.step. */
static inline uint64_t moment_of(uint64_t tick)
{
	return (tick - world.offset) * PER_TICK;
}

static inline struct hpt_wide utc_at(uint64_t moment)
{
	const struct segment *s = &world.segments[world.n_segments - 1];

	while (s->moment > moment && s > world.segments)
		s--;
	return hpt_wide_add(s->utc, times(s->slope, moment - s->moment));
}

static inline void begin_segment(struct hpt_wide utc, struct hpt_wide slope)
{
	if (world.segments[world.n_segments - 1].moment == world.now)
		world.n_segments--;
	world.segments[world.n_segments++] = (struct segment){ world.now, utc, slope };
}

/* A rate that the generation allows, from now on. */
static inline void change_rate(void)
{
	if (world.n_segments < SEGMENTS_MAX)
		begin_segment(utc_at(world.now), random_between(world.least, world.most));
}

/* The nominal band, and in it a narrower one of which each rate is within the wander of each average. */
static inline void choose_rates(void)
{
	struct hpt_wide least, most, top;

	least = hpt_ratio_ceiling(share(world.ns_per_tick, -(int64_t)world.rate_ppb), 1, PER_TICK);
	least = hpt_wide_add(least, hpt_wide_of(1));
	most = hpt_ratio_floor(share(world.ns_per_tick, world.rate_ppb), 1, PER_TICK);
	world.least = random_between(least, most);
	top = share(world.least, world.wander_ppb);
	world.most = is_less_wide(top, most) ? top : most;
}

static inline void pass_moments(uint64_t n)
{
	world.now += n;
	if (one_in(2))
		change_rate();
}

static inline void pass_ns(int64_t ns)
{
	pass_moments(ticks_for(ns) * PER_TICK + random_below(PER_TICK));
}

/* ---- Unix time ----------------------------------------------------------------------------------------------- */

/* The readings of Unix time: two in an inserted second, which one rule counts before midnight and another after it. */
static inline uint32_t readings_at(uint64_t moment, struct hpt_wide ret[2])
{
	struct hpt_wide utc = utc_at(moment), s = whole_ns(world.leap * NS_PER_S);
	struct hpt_wide at = whole_ns(world.leap_at_ns), after = hpt_wide_add(at, s);

	ret[0] = utc;
	if (!world.leap || is_less_wide(utc, world.leap > 0 ? at : after))
		return 1;
	ret[1] = hpt_wide_subtract(utc, s);
	if (world.leap > 0 && is_less_wide(utc, after))
		return 2;
	ret[0] = ret[1];
	return 1;
}

/* True if what a source says at this moment touches the second before or after a leap second. */
static inline bool touches_leap(const struct hpt_wall_sample *s)
{
	return world.leap && s->latest_ns >= world.leap_at_ns - NS_PER_S &&
	       s->earliest_ns <= world.leap_at_ns + NS_PER_S;
}

/* True if the interval has all readings of the moment. */
static inline bool holds(uint64_t moment, int64_t earliest_ns, int64_t latest_ns)
{
	struct hpt_wide readings[2];
	uint32_t n = readings_at(moment, readings);

	for (uint32_t i = 0; i < n; i++)
		if (is_less_wide(readings[i], whole_ns(earliest_ns)) || is_less_wide(whole_ns(latest_ns), readings[i]))
			return false;
	return true;
}

/* ---- Worlds -------------------------------------------------------------------------------------------------- */

static inline void make_world(uint64_t least_hz, uint64_t most_hz)
{
	struct hpt_wide utc;
	struct hpt_scale slope;

	memset(&world, 0, sizeof(world));
	world.hz = log_uniform(least_hz, most_hz);
	world.step = one_in(2) ? 1 : log_uniform(1, 1 + world.hz / 1000000);
	world.rate_ppb = (uint32_t)log_uniform(1, 100000000);
	world.wander_ppb = (uint32_t)log_uniform(1, world.rate_ppb);
	slope = hpt_scale_of(NS_PER_S, world.hz);
	world.ns_per_tick = (struct hpt_wide){ slope.whole, slope.frac };
	world.offset = one_in(2) ? random_magnitude() >> 2 : 0;
	world.now = random_below(1000);
	choose_rates();
	utc = whole_ns(INT64_C(1700000000) * NS_PER_S + (int64_t)random_below((uint64_t)DAY_NS));
	utc.lo = random_u64();
	world.segments[0] = (struct segment){ 0, utc, world.least };
	world.n_segments = 1;
	change_rate();
}

/* An honest sample of now, that takes up to two windows and is off by up to off_ns on either side. Time passes. */
static inline struct hpt_wall_sample take_sample(int64_t window_ns, uint64_t off_ns)
{
	struct hpt_wall_sample s = { .before = (hpt_time_t)shown(world.now), .source = HPT_WALL_SOURCE_FEED };
	struct hpt_wide readings[2], reading;

	if (!one_in(3))
		pass_ns((int64_t)random_below((uint64_t)window_ns + 1));
	reading = readings[random_below(readings_at(world.now, readings))];
	if (!one_in(3))
		pass_ns((int64_t)random_below((uint64_t)window_ns + 1));
	s.after = (hpt_time_t)shown(world.now);
	s.earliest_ns = floor_ns(reading) - (one_in(3) ? 0 : (int64_t)random_below(off_ns + 1));
	s.latest_ns = ceiling_ns(reading) + (one_in(3) ? 0 : (int64_t)random_below(off_ns + 1));
	return s;
}

#endif
