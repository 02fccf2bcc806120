// SPDX-License-Identifier: MIT
/* Makes statements for ClockBound's clients: tools/wall/wall_statement.h. */
#include "wall/wall_statement.h"

#include <string.h>

#include "math/ratio.h"
#include "math/units.h"

/*
 * ClockBound's own numbers: its daemons state void_after 1000 s ahead, which is as long as a wall by default goes on
 * without a sample. Version 2 is a statement of CLOCK_REALTIME, which other programs set and bend: it is renewed a
 * hundred times a second, and void soon after its writer has died.
 */
#define LIFE_3_NS WALL_FACTS_MAX_AGE_NS
#define LIFE_2_NS (10 * NS_PER_S)

/*
 * What adjtimex(2) and adjtime(3) let a program do to the rate of CLOCK_REALTIME, at any moment: 10 % by tick, 500 ppm
 * by freq, 500 ppm by a correction that is under way.
 */
#define SLEW_PPB 101000000u

/* A client cuts two numbers to whole nanoseconds, and computes with doubles. */
#define CLIENT_ROUNDING_NS 3

/* A wall has no bound within a second of a leap second. */
#define LEAP_NEAR_NS NS_PER_S

/* No bound, in a number for clients that do not look at the status: ten years, which fit int64 on both sides. */
#define NO_BOUND_NS (3650 * 86400 * NS_PER_S)

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static uint32_t status_of(const struct wall_facts *f)
{
	if (f->state == HPT_WALL_STATE_SYNCED && !f->is_last)
		return HPT_CLOCKBOUND_SYNCHRONIZED;
	if (wall_state_has_bound(f->state))
		return HPT_CLOCKBOUND_FREE_RUNNING;
	return f->state == HPT_WALL_STATE_DISRUPTED ? HPT_CLOCKBOUND_DISRUPTED : HPT_CLOCKBOUND_UNKNOWN;
}

/*
 * How long the wall itself would go on without news: until its sample is too old, or a leap second near. Time by the
 * client's clock may pass slower than UTC's by the drift.
 */
static int64_t life_ns(const struct wall_facts *f, int64_t most_ns, uint32_t drift_ppb)
{
	int64_t ns = smaller(most_ns, WALL_FACTS_MAX_AGE_NS - f->info.age_ns), left_ns;

	if (!f->info.leap_at_ns || f->time.flags & HPT_WALL_FLAG_SMEARED)
		return ns;
	left_ns = smaller(most_ns, f->info.leap_at_ns - LEAP_NEAR_NS - f->time.latest_ns);
	return smaller(ns, left_ns - (left_ns / NS_PER_S + 1) * drift_ppb);
}

static void set_no_bound(struct wall_statement *s)
{
	if (s->status != HPT_CLOCKBOUND_DISRUPTED)
		s->status = HPT_CLOCKBOUND_UNKNOWN;
	s->void_after_ns = s->as_of_ns;
	s->bound_ns = NO_BOUND_NS;
	s->drift_ppb = 0;
}

/* A drift of 10^9 and more has no place in the layout: there is no bound then. */
static void set_bound(const struct wall_facts *f, int64_t bound_ns, uint64_t drift_ppb, int64_t life_most_ns,
		      struct wall_statement *s)
{
	int64_t life;

	if (drift_ppb >= PPB)
		return;
	life = life_ns(f, life_most_ns, (uint32_t)drift_ppb);
	if (life <= 0)
		return;
	s->bound_ns = bound_ns + CLIENT_ROUNDING_NS;
	s->drift_ppb = (uint32_t)drift_ppb;
	s->void_after_ns = s->as_of_ns + life;
}

/* ---- Version 2: a bound of CLOCK_REALTIME's error ---------------------------------------------------------------- */

/* Its distance from UTC grows by x of UTC's time, and a client counts CLOCK_MONOTONIC's, which is as slow as 1 - x. */
static uint64_t realtime_drift_ppb(const struct hpt_wall_info *info)
{
	uint64_t x = SLEW_PPB + info->rate_ppb;

	return x < PPB ? (x * PPB + PPB - x - 1) / (PPB - x) : PPB;
}

static void state_realtime(const struct wall_facts *f, struct wall_statement *s)
{
	int64_t least = f->ahead_min_ns < 0 ? -f->ahead_min_ns : f->ahead_min_ns;
	int64_t most = f->ahead_max_ns < 0 ? -f->ahead_max_ns : f->ahead_max_ns;

	s->as_of_ns = f->mono_ns;
	if (wall_state_has_bound(f->state))
		set_bound(f, least > most ? least : most, realtime_drift_ppb(&f->info), LIFE_2_NS, s);
}

/* ---- Version 3: lines from the counter to UTC -------------------------------------------------------------------- */

/* The middle of the band of rates, by which a tick is longer than by the clock's own rate. */
static int64_t middle_ppb(const struct hpt_wall_info *info)
{
	return ((int64_t)info->rate_lo_ppb + info->rate_hi_ppb) / 2;
}

/* Seconds a tick as period / 2^(64 + shift), with 63 bits or 62. */
static void set_period(int64_t ticks_ns, int64_t more_ppb, struct wall_statement *s)
{
	/* How often 2^50 ticks of that length fit into 10^9 times their number: hertz. */
	uint64_t hz = hpt_ratio_floor(hpt_wide_of(WALL_FACTS_TICKS), PPB, (uint64_t)ticks_ns).lo;
	struct hpt_wide length = hpt_wide_product(ticks_ns, (uint64_t)(PPB + more_ppb));

	s->period_shift = 62 - (uint32_t)__builtin_clzll(hz); /* from 122 kHz on */
	s->period = hpt_ratio_floor(length, UINT64_C(1) << (14 + s->period_shift), (uint64_t)PPB * PPB).lo;
}

/*
 * The ends of the band as a share of the middle, rounded up. The two that the wall gives are rounded to the nearest
 * whole, and the period is rounded down: hence 2.
 */
static uint64_t band_ppb(const struct hpt_wall_info *info)
{
	int64_t middle = middle_ppb(info), above = info->rate_hi_ppb - middle, below = middle - info->rate_lo_ppb;
	uint64_t half = (uint64_t)(above > below ? above : below) + 2, of = (uint64_t)(PPB + middle);

	return (half * PPB + of - 1) / of;
}

static void state_counter(const struct wall_facts *f, struct wall_statement *s)
{
	s->as_of_ns = f->unix_ns;
	s->as_of_tick = (uint64_t)f->tick;
	if (f->ticks_ns <= 0)
		return;
	set_period(f->ticks_ns, middle_ppb(&f->info), s);
	if (!wall_state_has_bound(f->state))
		return;
	/* The tick of hpt_wall_now(), and the middle of its interval. */
	s->as_of_tick = (uint64_t)f->time.tick;
	s->as_of_ns = f->time.earliest_ns + (f->time.latest_ns - f->time.earliest_ns) / 2;
	/* All of the band is in max_drift_ppb; a client adds period_err to that, which stays 0. */
	set_bound(f, f->time.latest_ns - s->as_of_ns, band_ppb(&f->info), LIFE_3_NS, s);
}

/* ---- Both -------------------------------------------------------------------------------------------------------- */

struct wall_statement wall_statement_of(const struct wall_facts *facts, uint32_t version)
{
	struct wall_statement s = { .version = version, .status = status_of(facts), .has_marker = facts->has_marker,
				    .marker = facts->marker };

	if (version == 2)
		state_realtime(facts, &s);
	else
		state_counter(facts, &s);
	if (!s.bound_ns)
		set_no_bound(&s);
	return s;
}

static void put(unsigned char *at, const void *value, size_t size)
{
	memcpy(at, value, size);
}

static void put_u64(unsigned char *at, uint64_t value)
{
	put(at, &value, sizeof(value));
}

static void put_u32(unsigned char *at, uint32_t value)
{
	put(at, &value, sizeof(value));
}

static void put_time(unsigned char *at, int64_t ns)
{
	put_u64(at, (uint64_t)(ns / NS_PER_S));
	put_u64(at + 8, (uint64_t)(ns % NS_PER_S));
}

static void put_header(unsigned char *bytes, size_t size, uint16_t version, uint16_t generation)
{
	put_u32(bytes, HPT_CLOCKBOUND_MAGIC_0);
	put_u32(bytes + 4, HPT_CLOCKBOUND_MAGIC_1);
	put_u32(bytes + HPT_CLOCKBOUND_SIZE, (uint32_t)size);
	put(bytes + HPT_CLOCKBOUND_VERSION, &version, sizeof(version));
	put(bytes + HPT_CLOCKBOUND_GENERATION, &generation, sizeof(generation));
}

size_t wall_statement_bytes(const struct wall_statement *s, uint16_t generation,
			    unsigned char ret[HPT_CLOCKBOUND_V3_SIZE])
{
	bool is_3 = s->version == 3;
	const struct hpt_clockbound_layout *at = is_3 ? &hpt_clockbound_layout_3 : &hpt_clockbound_layout_2;
	size_t size = is_3 ? HPT_CLOCKBOUND_V3_SIZE : HPT_CLOCKBOUND_V2_SIZE;

	memset(ret, 0, HPT_CLOCKBOUND_V3_SIZE);
	put_header(ret, size, is_3 ? HPT_CLOCKBOUND_VERSION_3 : HPT_CLOCKBOUND_VERSION_2, generation);
	put_time(ret + at->as_of, s->as_of_ns);
	put_time(ret + at->void_after, s->void_after_ns);
	put_u64(ret + at->bound, (uint64_t)s->bound_ns);
	put_u64(ret + at->marker, s->marker);
	put_u32(ret + at->drift, s->drift_ppb);
	put_u32(ret + at->status, s->status);
	ret[at->has_marker] = s->has_marker;
	if (is_3) {
		put_u64(ret + HPT_CLOCKBOUND_AS_OF_TICK, s->as_of_tick);
		put_u64(ret + HPT_CLOCKBOUND_PERIOD, s->period);
		ret[HPT_CLOCKBOUND_PERIOD_SHIFT] = (unsigned char)s->period_shift;
	}
	return size;
}
