/* SPDX-License-Identifier: MIT */
/*
 * A wall in a world: what it is asked and given at random, and what is checked of each answer. Three sources state
 * samples; they come in time or late, and some of them lie.
 */
#ifndef HPT_TEST_WALL_LIFE_H
#define HPT_TEST_WALL_LIFE_H

#include <errno.h>
#include <inttypes.h>

#include "wall_world.h"

#define PENDING_MAX 4
#define STEPS_MAX   20
#define SOURCES     3

static uint64_t seed;
static bool failed;

/* What happened in this world. */
static struct {
	struct hpt_wall_record rec;
	struct hpt_wall_rules rules;
	bool is_honest;           /* else false intervals are counted */
	bool is_poisoned;         /* a lie that nothing contradicts is in the bound */
	bool is_smeared;
	uint32_t liars;           /* mask */
	int64_t window_ns;        /* of samples */
	uint64_t off_ns;          /* their errors */
	uint64_t leap_source;
	struct hpt_wall_reading pending[PENDING_MAX];
	bool is_lie[PENDING_MAX];
	uint32_t n_pending;
	int64_t asleep_ns, raw_ns;
	uint64_t raw_moment;
	struct hpt_wide raw_slope;
	uint64_t suspends, sampled;
	bool has_sampled;
	/* The latest interval. */
	uint64_t generation;
	int64_t earliest_ns;
	uint64_t reads, misses;
} w;

static struct {
	uint64_t reads, misses, contradictions, caught, worlds, served_past, accepted, leaps;
} sum;

#define FAIL(...)                                                                                       \
	do {                                                                                            \
		if (!failed)                                                                            \
			printf("not ok: world 0x%" PRIx64 ": ", seed), printf(__VA_ARGS__), printf("\n"); \
		failed = true;                                                                          \
	} while (0)

/* ---- Looks and reads ----------------------------------------------------------------------------------------- */

static inline int64_t raw_at(uint64_t moment)
{
	return w.raw_ns + floor_ns(times(w.raw_slope, moment - w.raw_moment)) /
			  (int64_t)w.rules.step_ns * (int64_t)w.rules.step_ns;
}

static inline struct hpt_wall_look take_look(void)
{
	struct hpt_wall_look look = { .before = shown(world.now), .has_clocks = true };

	look.asleep_hi_ns = w.asleep_ns + (int64_t)random_below(100);
	look.asleep_lo_ns = w.asleep_ns - (int64_t)random_below(100);
	if (one_in(2))
		pass_ns((int64_t)random_below(1000));
	look.raw_ns = raw_at(world.now);
	if (one_in(2))
		pass_ns((int64_t)random_below(1000));
	look.after = shown(world.now);
	return look;
}

static inline void look(void)
{
	struct hpt_wall_look l = take_look();
	uint64_t before = w.rec.counts.disruptions;

	hpt_wall_record_look(&w.rec, &w.rules, &l);
	if (w.rec.counts.disruptions != before)
		w.is_poisoned = w.has_sampled = false;
	if (w.rec.counts.disruptions > w.suspends && !w.liars)
		FAIL("a disruption that was none");
}

static inline void check_age(uint64_t tick)
{
	int64_t age_ns = hpt_scale_round((int64_t)(tick - w.sampled), w.rules.ns_per_tick);

	if (!w.has_sampled || age_ns > w.rules.max_age_ns + 1 + (int64_t)w.rules.ns_per_tick.whole)
		FAIL("a bound %" PRId64 " ns after the latest sample", age_ns);
	if (hpt_wall_record_state(&w.rec) == HPT_WALL_STATE_SYNCED && age_ns > 60 * NS_PER_S + 100000)
		FAIL("synced %" PRId64 " ns after the latest sample", age_ns);
}

static inline void check_interval(struct hpt_utc utc)
{
	w.reads++;
	if (!holds(world.now, utc.lo_ns, utc.hi_ns)) {
		w.misses++;
		if (w.is_honest && !w.is_poisoned)
			FAIL("read %" PRIu64 ": UTC is %" PRId64 ", not in [%" PRId64 ", %" PRId64 "], state %u",
			     w.reads, floor_ns(utc_at(world.now)), utc.lo_ns, utc.hi_ns,
			     hpt_wall_record_state(&w.rec));
	}
	if (w.rec.read.generation == w.generation && utc.lo_ns < w.earliest_ns)
		FAIL("earliest fell by %" PRId64 " in generation %" PRIu64, w.earliest_ns - utc.lo_ns, w.generation);
	w.generation = w.rec.read.generation;
	w.earliest_ns = utc.lo_ns;
}

/* A read as the library does it: by the record alone in its span, else after a look. */
static inline bool read_now(void)
{
	uint64_t tick = shown(world.now);

	if (tick - w.rec.read.bound.tick >= w.rec.read.span) {
		look();
		tick = shown(world.now);
	}
	if (!hpt_wall_record_serves(&w.rec))
		return false;
	check_age(tick);
	check_interval(hpt_bound_at(&w.rec.read.bound, tick));
	return true;
}

/* An earlier tick: true at all moments at which the counter shows it. */
static inline void read_past(void)
{
	uint64_t tick, first, t;
	struct hpt_utc utc;

	if (!read_now())
		return;
	tick = shown(world.now);
	first = w.rec.first;
	t = first + random_below(tick - first + 1);
	t = one_in(3) ? first : t;
	t = world.offset + (t - world.offset) / world.step * world.step;
	if ((int64_t)(t - first) < 0)
		return;
	utc = hpt_bound_at(&w.rec.read.bound, t);
	sum.served_past++;
	if (w.is_honest && !w.is_poisoned && (!holds(moment_of(t), utc.lo_ns, utc.hi_ns) ||
	    (t < tick && !holds(moment_of(t + world.step) - 1, utc.lo_ns, utc.hi_ns))))
		FAIL("tick %" PRIu64 " of before, now %" PRIu64 ", not in [%" PRId64 ", %" PRId64 "]", t, tick,
		     utc.lo_ns, utc.hi_ns);
}

/* ---- Samples ------------------------------------------------------------------------------------------------- */

static inline void note_leap(struct hpt_wall_reading *r)
{
	int64_t left_ns = world.leap_at_ns - r->sample.latest_ns;

	if (!world.leap || r->sample.source != w.leap_source)
		return;
	r->leap = world.leap > 0 ? HPT_WALL_LEAP_INSERTED : HPT_WALL_LEAP_LEFT_OUT;
	/* Some sources repeat it for a while, others say from then on that there is none. */
	if (left_ns < NS_PER_S && one_in(2))
		r->leap = one_in(2) ? HPT_WALL_LEAP_ABSENT : HPT_WALL_LEAP_UNKNOWN;
	if (one_in(2))
		r->leap_at_ns = world.leap_at_ns;
}

/* The rate that is true at this moment, and an error. */
static inline void tell_rate(struct hpt_wall_reading *r)
{
	struct hpt_wide slope = world.segments[world.n_segments - 1].slope, lo, hi;

	slope = times(slope, PER_TICK);
	lo = share(slope, one_in(2) ? 0 : -(int64_t)random_below(1 + world.rate_ppb));
	hi = share(slope, one_in(2) ? 0 : (int64_t)random_below(1 + world.rate_ppb));
	r->has_rate = true;
	r->rate = (struct hpt_band){ { lo.hi, lo.lo }, { hi.hi, hi.lo } };
}

static inline void lie(struct hpt_wall_reading *r)
{
	int64_t off_ns = (int64_t)log_uniform(1, UINT64_C(10000000000));

	if (one_in(4)) {
		tell_rate(r);
		r->rate = hpt_band_widened(&r->rate, 1);
		r->rate.hi = r->rate.lo;
	}
	if (one_in(2))
		off_ns = r->sample.earliest_ns - r->sample.latest_ns - off_ns;
	r->sample.earliest_ns += off_ns;
	r->sample.latest_ns += off_ns;
}

static inline struct hpt_wall_reading take_reading(bool *ret_is_lie)
{
	struct hpt_wall_reading r = { .leap = HPT_WALL_LEAP_UNKNOWN };

	r.sample = take_sample(w.window_ns, w.off_ns);
	r.sample.source = 1 + (uint32_t)random_below(SOURCES);
	r.sample.flags = w.is_smeared ? HPT_WALL_FLAG_SMEARED : one_in(4) ? HPT_WALL_FLAG_CLAIMED : 0;
	r.is_holdover = one_in(8);
	if (one_in(4))
		r.age_ticks = log_uniform(1, UINT64_C(10000000000));
	note_leap(&r);
	if (one_in(6))
		tell_rate(&r);
	*ret_is_lie = (w.liars >> r.sample.source & 1) && one_in(2);
	if (*ret_is_lie)
		lie(&r);
	return r;
}

/* What a sample gives, at its own tick: no bound that has it may be wider. */
static inline void check_width(const struct hpt_wall_sample *s, uint64_t now)
{
	struct hpt_bound_lines lines = hpt_bound_of((uint64_t)s->before, (uint64_t)s->after,
						    (struct hpt_utc){ s->earliest_ns, s->latest_ns }, w.rules.step,
						    &w.rules.nominal);
	struct hpt_utc by_sample = hpt_bound_at(&lines, now), utc = hpt_bound_at(&w.rec.read.bound, now);
	int64_t cover_ns = w.rules.covers_leap && world.leap ? NS_PER_S : 0;

	if (utc.hi_ns - utc.lo_ns > by_sample.hi_ns - by_sample.lo_ns + 1 + cover_ns)
		FAIL("%" PRId64 " ns wide, the sample %" PRId64, utc.hi_ns - utc.lo_ns,
		     by_sample.hi_ns - by_sample.lo_ns);
}

static inline bool is_void(const struct hpt_wall_reading *r)
{
	return w.rec.has_void && (int64_t)((uint64_t)r->sample.before - r->age_ticks - w.rec.void_before) < 0;
}

static inline void note_result(const struct hpt_wall_reading *r, bool is_lie, uint32_t reason,
			       uint64_t now)
{
	const struct hpt_wall_sample *s = &r->sample;

	if (reason) {
		bool is_late = is_void(r) ||
			       hpt_scale_round((int64_t)(now - (uint64_t)s->before), w.rules.ns_per_tick) >=
				       w.rules.max_age_ns;

		if (w.is_honest && !w.liars && !is_late && !touches_leap(s))
			FAIL("an honest sample is refused: %u", reason);
		return;
	}
	sum.accepted++;
	w.is_poisoned |= is_lie;
	if (!w.has_sampled || (int64_t)((uint64_t)s->after - w.sampled) > 0)
		w.sampled = (uint64_t)s->after;
	w.has_sampled = true;
	if (hpt_wall_record_serves(&w.rec) && !w.liars)
		check_width(s, now);
}

static inline void give(const struct hpt_wall_reading *r, bool is_lie)
{
	uint64_t contradictions = w.rec.counts.contradictions, generation = w.rec.read.generation, now;
	bool was_void;
	uint32_t reason;

	look();
	now = shown(world.now);
	was_void = is_void(r);
	reason = hpt_wall_record_add(&w.rec, &w.rules, r, now);
	if (was_void && !reason)
		FAIL("a statement of before an event is accepted");
	if (w.rec.counts.contradictions != contradictions && w.rec.read.generation != generation)
		w.is_poisoned = false;
	if (w.is_honest && !w.liars && w.rec.counts.contradictions)
		FAIL("honest sources contradict each other");
	note_result(r, is_lie, reason, now);
}

static inline void sample(void)
{
	bool is_lie;
	struct hpt_wall_reading r = take_reading(&is_lie);

	if (w.n_pending < PENDING_MAX && one_in(3)) {
		w.pending[w.n_pending] = r;
		w.is_lie[w.n_pending++] = is_lie;
	} else {
		give(&r, is_lie);
	}
}

static inline void give_pending(void)
{
	uint32_t i;

	if (!w.n_pending)
		return;
	i = (uint32_t)random_below(w.n_pending);
	give(&w.pending[i], w.is_lie[i]);
	w.pending[i] = w.pending[--w.n_pending];
	w.is_lie[i] = w.is_lie[w.n_pending];
}

/* ---- Events -------------------------------------------------------------------------------------------------- */

static inline void set_nominal(void)
{
	struct hpt_scale rate = { world.ns_per_tick.hi, world.ns_per_tick.lo };

	w.rules.ns_per_tick = rate;
	w.rules.tick_per_ns = hpt_scale_of(world.hz, NS_PER_S);
	w.rules.nominal = (struct hpt_band){ rate, rate };
	w.rules.nominal = hpt_band_widened(&w.rules.nominal, world.rate_ppb);
}

/* The counter stands still meanwhile, goes on, or starts again; the next generation may have other rates. */
static inline void suspend(void)
{
	int64_t ns = (int64_t)log_uniform(1000000, UINT64_C(10000000000000));
	struct hpt_wide utc = hpt_wide_add(utc_at(world.now), whole_ns(ns));

	if (world.n_segments == SEGMENTS_MAX)
		return;
	w.raw_ns = raw_at(world.now);
	w.raw_moment = world.now;
	w.asleep_ns += ns;
	w.suspends++;
	choose_rates();
	if (w.is_honest)
		set_nominal();
	begin_segment(utc, world.least);
	if (one_in(3)) {
		world.offset += ticks_for(ns) / world.step * world.step;
	} else if (one_in(2)) {
		world.offset -= shown(world.now) / 2 / world.step * world.step;
		w.n_pending = 0; /* their ticks are now others */
	}
	/* Until the latest look is 10 ms old, it is not seen. */
	pass_ns(HPT_WALL_LOOK_NS * 2);
	look();
}

/* The clock knows its rate better. */
static inline void learn(void)
{
	struct hpt_wide lo = times(world.least, PER_TICK), hi = times(world.most, PER_TICK), rate;
	struct hpt_band *nominal = &w.rules.nominal;

	if (!w.is_honest)
		return;
	lo = random_between((struct hpt_wide){ nominal->lo.whole, nominal->lo.frac }, lo);
	hi = random_between(hi, (struct hpt_wide){ nominal->hi.whole, nominal->hi.frac });
	*nominal = (struct hpt_band){ { lo.hi, lo.lo }, { hi.hi, hi.lo } };
	rate = hpt_wide_add(lo, hpt_ratio_floor(hpt_wide_subtract(hi, lo), 1, 2));
	w.rules.ns_per_tick = (struct hpt_scale){ rate.hi, rate.lo };
	look();
}

/* ---- Worlds -------------------------------------------------------------------------------------------------- */

static inline void open_wall(bool is_honest)
{
	struct hpt_wall_look l;
	int64_t raw_ppb;

	memset(&w, 0, sizeof(w));
	w.is_honest = is_honest;
	w.window_ns = (int64_t)log_uniform(1, 100000000);
	w.off_ns = log_uniform(1, one_in(10) ? UINT64_C(20000000000) : 10000000);
	w.leap_source = 1 + random_below(SOURCES);
	w.is_smeared = one_in(8);
	set_nominal();
	w.rules.step = world.step;
	w.rules.step_ns = one_in(2) ? 1 : log_uniform(1, 4000000);
	w.rules.wander_ppb = world.wander_ppb;
	w.rules.clock_ppb = world.rate_ppb * UINT64_C(5) / 2 + 1000; /* the rate, as learned, and RAW may both be off */
	raw_ppb = one_in(2) ? 0 : (int64_t)random_below(2 * (uint64_t)world.rate_ppb) - (int64_t)world.rate_ppb;
	w.raw_slope = hpt_ratio_floor(share(world.ns_per_tick, raw_ppb), 1, PER_TICK);
	w.rules.max_age_ns = (int64_t)log_uniform(1000000000, UINT64_C(100000000000000));
	w.rules.covers_leap = one_in(2);
	w.raw_moment = world.now;
	l = take_look();
	hpt_wall_record_init(&w.rec, &w.rules, &l);
}

static inline void announce_leap(void)
{
	int64_t utc_ns = floor_ns(utc_at(world.now));
	int64_t at_ns = (utc_ns / DAY_NS + 1) * DAY_NS, before_ns = (int64_t)log_uniform(3000000000, 600000000000);

	world.segments[0].utc = hpt_wide_add(world.segments[0].utc, whole_ns(at_ns - before_ns - utc_ns));
	for (uint32_t i = 1; i < world.n_segments; i++)
		world.segments[i].utc = hpt_wide_add(world.segments[i].utc, whole_ns(at_ns - before_ns - utc_ns));
	if (w.is_smeared)
		return;
	world.leap_at_ns = at_ns;
	world.leap = one_in(2) ? 1 : -1;
}

/* The wall must know of it in time, as sources say it for a day: by the first sample that is accepted. */
static inline void hear_of_leap(void)
{
	struct hpt_wall_reading r = { .leap = world.leap > 0 ? HPT_WALL_LEAP_INSERTED : HPT_WALL_LEAP_LEFT_OUT };

	if (!world.leap)
		return;
	r.sample = take_sample(1, 1);
	r.sample.source = (uint32_t)w.leap_source;
	r.leap_at_ns = one_in(2) ? world.leap_at_ns : 0;
	give(&r, false);
	sum.leaps++;
}

static inline int64_t random_pause_ns(void)
{
	if (world.leap && one_in(2))
		return (int64_t)log_uniform(1000, 3000000000);
	return (int64_t)log_uniform(1000, one_in(8) ? UINT64_C(100000000000000) : UINT64_C(30000000000));
}

static inline void live(void)
{
	uint64_t steps = 5 + random_below(STEPS_MAX - 5);

	for (uint64_t i = 0; i < steps && !failed; i++) {
		pass_ns(random_pause_ns());
		switch (random_below(12)) {
		case 0: case 1: case 2: case 3:
			sample();
			break;
		case 4: case 5:
			give_pending();
			break;
		case 6:
			read_past();
			break;
		case 7:
			if (one_in(4))
				suspend();
			else if (one_in(2))
				learn();
			break;
		default:
			read_now();
		}
		read_now();
	}
	sum.reads += w.reads;
	sum.misses += w.misses;
	sum.contradictions += w.rec.counts.contradictions;
	sum.worlds++;
}

#endif
