// SPDX-License-Identifier: MIT
/* hpt_clock_sample(): one tick on the clock's timeline and on those of the kernel's clocks. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "source/own_time.h"
#include "arch/arch.h"
#include "rate/os_lines.h"
#include "rate/timeline.h"
#include "clock/default.h"
#include "clock/sized.h"
#include "clock/timekeeper.h"

/* A round is a tick, a clock, a tick, a clock ...: each clock is bracketed, and the sample is at the middle tick. */
enum { REALTIME, MONOTONIC, BOOTTIME, TAI, CLOCKS };
#define MIDDLE (CLOCKS / 2)

/* The first round runs on cold caches, and one may be interrupted. */
#define CROSS_ROUNDS 3

/* The segment may end while the rounds are taken. */
#define CROSS_TRIES 3

static const clockid_t clock_ids[CLOCKS] = { CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_TAI };

struct round {
	uint64_t ticks[CLOCKS + 1];
	int64_t  ns[CLOCKS];
	bool     is_refused[CLOCKS];
};

/* A clock that the round before was refused takes no time in this one: a refusal may take long. */
static void take_round(const struct hpt_source *src, struct round *ret)
{
	ret->ticks[0] = src->read(src);
	for (int i = 0; i < CLOCKS; i++) {
		ret->ticks[i + 1] = ret->ticks[i];
		if (ret->is_refused[i])
			continue;
		ret->is_refused[i] = hpt_sample_clock(src, clock_ids[i], &ret->ns[i]);
		ret->ticks[i + 1] = src->read(src);
	}
}

/* Ticks of the widest bracket. */
static uint64_t round_width(const struct round *r)
{
	uint64_t widest = 0;

	for (int i = 0; i < CLOCKS; i++)
		if (r->ticks[i + 1] - r->ticks[i] > widest)
			widest = r->ticks[i + 1] - r->ticks[i];
	return widest;
}

/* Ticks by which a clock was read before the middle tick or after it, at most. */
static uint64_t round_reach(const struct round *r)
{
	uint64_t before = r->ticks[MIDDLE] - r->ticks[0], after = r->ticks[CLOCKS] - r->ticks[MIDDLE];

	return before > after ? before : after;
}

/* The most that a slew makes of an amount: 101 of 1000. Saturates far beyond any round. */
static uint64_t slew_of(uint64_t amount)
{
	return (amount < UINT64_MAX / 101 ? amount : UINT64_MAX / 101) * (HPT_OS_LINES_SLEW_PPB / 1000000) / 1000;
}

/* What a round's error grows with: see width_ns(). */
static uint64_t round_cost(const struct round *r)
{
	return round_width(r) + 2 * slew_of(round_reach(r));
}

static void take_narrowest(const struct hpt_source *src, struct round *ret)
{
	struct round r = { 0 };

	take_round(src, &r);
	*ret = r;
	for (int i = 1; i < CROSS_ROUNDS; i++) {
		take_round(src, &r);
		if (round_cost(&r) < round_cost(ret))
			*ret = r;
	}
}

/* A clock at the middle tick; while no rate is known, as it was read. */
static COLD __attribute__((noinline)) int64_t reduced(const struct hpt_record *rec, const struct round *r, int i)
{
	struct hpt_ray line = { .ns = r->ns[i], .slope = rec->convert.unix_per_tick };
	int64_t ns = INT64_MIN;

	if (r->is_refused[i])
		return ns;
	if (hpt_record_is_exact(rec)) {
		if (i == MONOTONIC)
			return (int64_t)r->ticks[MIDDLE];
		line.slope = rec->convert.ns_per_tick;
	}
	if (hpt_record_is_learning(rec))
		return r->ns[i];
	line.tick = (int64_t)(r->ticks[i] + (r->ticks[i + 1] - r->ticks[i]) / 2);
	hpt_wide_narrow(hpt_ray_ns(&line, (int64_t)r->ticks[MIDDLE]), &ns);
	return ns;
}

/*
 * What the clocks may have gained or lost against the slope by which they are reduced to the middle tick: they may be
 * slewed at any other by now. No slew moves the clocks of the OS source against its ticks.
 */
static int64_t slewed_ns(const struct hpt_record *rec, const struct round *r)
{
	int64_t reach = (int64_t)round_reach(r), raw_ns = hpt_scale_round(reach, rec->convert.ns_per_tick);
	int64_t apart_ns = llabs(hpt_scale_round(reach, rec->convert.unix_per_tick) - raw_ns);

	if (hpt_record_is_exact(rec))
		return 0;
	return apart_ns + (int64_t)slew_of((uint64_t)raw_ns) + 1;
}

/*
 * A reading lies anywhere in its bracket, and readings of counter and clock are up to one step of theirs old. One
 * more tick and three nanoseconds are for rounding. While no rate is known the rounds lasted for took_ns by the clock,
 * and each reading is at most that far from the middle tick.
 */
static int64_t width_ns(const struct hpt_record *rec, const struct round *r, int64_t took_ns)
{
	uint64_t ticks = round_width(r) + 2 * rec->granularity.ticks + 1;
	int64_t widest_ns = hpt_record_is_learning(rec) ? 2 * took_ns :
			    hpt_scale_round((int64_t)ticks, rec->convert.ns_per_tick);

	widest_ns = hpt_sum(widest_ns, 2 * slewed_ns(rec, r));
	return hpt_sum(widest_ns, (int64_t)(2 * rec->granularity.ref_ns) + 3);
}

/* The system's clocks have nothing to do with such a time. */
static void sample_own_time(const struct hpt_clock *clk, struct hpt_sample *ret)
{
	ret->tick = (hpt_time_t)clk->src.read(&clk->src);
	ret->ns = ret->unix_ns = (int64_t)clk->src.own_time->ns(&clk->src, ret->tick).lo;
	ret->monotonic_ns = ret->boottime_ns = ret->tai_ns = INT64_MIN;
	ret->generation = 1;
}

/* CLOCK_MONOTONIC while no rate is known; else 0. */
static int64_t learner_ns(const struct hpt_record *rec, const struct hpt_clock *clk)
{
	return hpt_record_is_learning(rec) ? hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC) : 0;
}

static void sample_counter(struct hpt_clock *clk, struct hpt_sample *ret)
{
	struct hpt_record rec;
	struct round r;
	int64_t took_ns;
	int tries = 0;

	do {
		hpt_timekeeper_now(clk, &rec);
		took_ns = -learner_ns(&rec, clk);
		take_narrowest(&clk->src, &r);
		took_ns += learner_ns(&rec, clk);
	} while (!hpt_record_serves(&rec, r.ticks[MIDDLE]) && ++tries < CROSS_TRIES);
	ret->state = (uint32_t)rec.state;
	ret->generation = rec.generation;
	ret->tick = (hpt_time_t)r.ticks[MIDDLE];
	hpt_wide_narrow(hpt_timeline_ns(&rec, ret->tick), &ret->ns);
	ret->unix_ns = reduced(&rec, &r, REALTIME);
	ret->monotonic_ns = reduced(&rec, &r, MONOTONIC);
	ret->boottime_ns = reduced(&rec, &r, BOOTTIME);
	ret->tai_ns = reduced(&rec, &r, TAI);
	ret->width_ns = width_ns(&rec, &r, took_ns);
}

COLD int hpt_clock_sample(hpt_clock *clk, struct hpt_sample *ret, size_t size)
{
	struct hpt_sample sample = { .ns = INT64_MIN };

	if (!ret || size < HPT_SAMPLE_SIZE_V0)
		return -EINVAL;
	clk = hpt_clock_or_default(clk);
	if (clk->src.own_time)
		sample_own_time(clk, &sample);
	else
		sample_counter(clk, &sample);
	hpt_hand_out(ret, size, &sample, sizeof(sample));
	return 0;
}
