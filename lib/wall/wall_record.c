// SPDX-License-Identifier: MIT
/* The next record of a wall: lib/wall/wall_record.h. */
#include "wall/wall_record.h"

#include <errno.h>

#include "arch/arch.h"
#include "math/units.h"

/* After this time without a sample, or eight of the intervals between the latest two, a bound is HOLDOVER's. */
#define HOLDOVER_NS        (60 * NS_PER_S)
#define HOLDOVER_INTERVALS 8
#define HOLDOVER_LEAST_NS  NS_PER_S

/* A counter that gains or loses less than this on CLOCK_MONOTONIC_RAW between two looks may have done so by a read. */
#define JUMP_NS 1000

/* Lines that nothing has moved for ten years are dropped before they leave int64: see HPT_WALL_MOST_NS. */
#define BOUND_MOST_NS (3650 * 86400 * NS_PER_S)

/*
 * chronyd estimates by its latest samples, at least six (minsamples), and of these by those that agree. An update may
 * have been under way, and one more is for good measure. Seen after a suspend of a busy PC: five.
 */
#define UPDATES_SETTLED 8

static uint64_t bit_of(uint32_t source)
{
	return UINT64_C(1) << source;
}

static void set_state(struct hpt_wall_record *rec, uint32_t state)
{
	rec->read.status = (rec->read.status >> 32 << 32) | state;
}

/* Drops all that was stated so far. */
static void begin_generation(struct hpt_wall_record *rec, uint32_t state, uint64_t tick)
{
	rec->read.generation++;
	rec->has_bound = rec->read.span = 0;
	rec->leap.is_covered = 0;
	rec->live = rec->awaited = rec->flags = rec->interval = 0;
	rec->first = tick;
	set_state(rec, state);
}

/* ---- Leap seconds -------------------------------------------------------------------------------------------- */

static void shift(struct hpt_bound_lines *lines, int64_t ns)
{
	lines->lo.ns += (uint64_t)ns;
	lines->hi.ns += (uint64_t)ns;
}

/* By how much a second that is inserted makes Unix time less from then on. A smeared timeline has none. */
static int64_t leap_ns(const struct hpt_wall_record *rec)
{
	return rec->flags & HPT_WALL_SMEARED ? 0 : rec->leap.sign * NS_PER_S;
}

static void pass_leap(struct hpt_wall_record *rec, uint64_t tick)
{
	int64_t by_ns = -leap_ns(rec);

	shift(&rec->read.bound, by_ns);
	shift(&rec->baseline, by_ns);
	for (uint32_t i = 1; i < HPT_WALL_SOURCES; i++)
		shift(&rec->latest[i].lines, by_ns);
	hpt_leap_pass(&rec->leap);
	rec->read.generation++;
	rec->first = rec->void_before = tick;
	rec->has_void = 1;
}

/* The bound is without cover. True if UTC is, perhaps, near a leap second. */
static bool is_near_leap(struct hpt_wall_record *rec, uint64_t tick)
{
	struct hpt_utc utc = hpt_bound_at(&rec->read.bound, tick);

	if (hpt_leap_is_past(&rec->leap, utc)) {
		pass_leap(rec, tick);
		return false;
	}
	return !(rec->flags & HPT_WALL_SMEARED) && hpt_leap_is_near(&rec->leap, utc);
}

/* A leap second that is announced too late begins a generation. */
static void note_leap(struct hpt_wall_record *rec, const struct hpt_wall_reading *reading, uint64_t now)
{
	int64_t latest_ns = rec->has_bound ? hpt_bound_at(&rec->read.bound, now).hi_ns : INT64_MIN;

	if (hpt_leap_note(&rec->leap, reading, latest_ns))
		begin_generation(rec, HPT_WALL_LEAP, now);
}

/* ---- Time passes --------------------------------------------------------------------------------------------- */

static uint64_t ticks_of(const struct hpt_wall_rules *rules, int64_t ns)
{
	return ns > 0 ? (uint64_t)hpt_scale_round(ns, rules->tick_per_ns) : 0;
}

static int64_t age_ns(const struct hpt_wall_rules *rules, uint64_t since, uint64_t tick)
{
	int64_t ticks = (int64_t)(tick - since);

	return ticks > 0 ? hpt_scale_round(ticks, rules->ns_per_tick) : 0;
}

static int64_t holdover_ns(const struct hpt_wall_record *rec, const struct hpt_wall_rules *rules)
{
	int64_t interval_ns = age_ns(rules, 0, rec->interval);

	if (!interval_ns || interval_ns > HOLDOVER_NS / HOLDOVER_INTERVALS)
		return HOLDOVER_NS;
	interval_ns *= HOLDOVER_INTERVALS;
	return interval_ns < HOLDOVER_LEAST_NS ? HOLDOVER_LEAST_NS : interval_ns;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Until the state may change, or the next look is due. */
static int64_t steady_ns(const struct hpt_wall_record *rec, const struct hpt_wall_rules *rules, uint64_t tick)
{
	int64_t age = age_ns(rules, rec->sampled, tick), ns = smaller(HPT_WALL_LOOK_NS, rules->max_age_ns - age);

	if (hpt_wall_record_state(rec) == HPT_WALL_SYNCED)
		ns = smaller(ns, holdover_ns(rec, rules) - age);
	if (rec->leap.at_ns && !rec->leap.is_covered && !(rec->flags & HPT_WALL_SMEARED))
		/* Twice the rate: the upper line may be as fast as that. */
		ns = smaller(ns, (rec->leap.at_ns - HPT_LEAP_NEAR_NS - hpt_bound_at(&rec->read.bound, tick).hi_ns) / 2);
	return ns;
}

static uint32_t state_of_age(const struct hpt_wall_record *rec, const struct hpt_wall_rules *rules, uint64_t tick)
{
	int64_t age = age_ns(rules, rec->sampled, tick);

	if (age > rules->max_age_ns)
		return HPT_WALL_STALE;
	return rec->is_holdover || age >= holdover_ns(rec, rules) ? HPT_WALL_HOLDOVER : HPT_WALL_SYNCED;
}

/* Without a bound: an event's state stays, else it counts if a source has said that it has none. */
static uint32_t state_without_sample(const struct hpt_wall_record *rec)
{
	uint32_t state = hpt_wall_record_state(rec);

	if (rec->has_bound || (state != HPT_WALL_NONE && state != HPT_WALL_UNSYNCED))
		return state;
	return rec->unsynced ? HPT_WALL_UNSYNCED : HPT_WALL_NONE;
}

/* Sets state, flags, cover and span for this tick. The bound is without cover, and was_covered says if it had one. */
static void pass_time(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules, uint64_t tick, bool was_covered)
{
	uint64_t steady;
	uint32_t state;
	bool is_near;

	rec->read.span = 0;
	if (rec->has_bound && age_ns(rules, rec->read.bound.tick, tick) > BOUND_MOST_NS)
		begin_generation(rec, HPT_WALL_STALE, tick);
	is_near = rec->has_bound && is_near_leap(rec, tick);
	state = rec->has_bound ? state_of_age(rec, rules, tick) : state_without_sample(rec);
	if (is_near && !rules->covers_leap)
		state = HPT_WALL_LEAP;
	rec->read.status = (rec->flags | rules->flags) << 32 | state;
	if (!hpt_wall_record_serves(rec))
		return;
	if (is_near) {
		hpt_leap_cover(&rec->leap, &rec->read.bound);
		rec->read.generation += !was_covered; /* earliest falls by a second */
	}
	/* This tick at least: another one may be a second away on a manual clock. */
	steady = ticks_of(rules, steady_ns(rec, rules, tick));
	if ((int64_t)(tick - rec->read.bound.tick) >= 0)
		rec->read.span = tick - rec->read.bound.tick + (steady ? steady : 1);
}

/* ---- Events -------------------------------------------------------------------------------------------------- */

static bool counter_has_jumped(const struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
			   const struct hpt_wall_look *look)
{
	int64_t raw_ns = look->raw_ns - rec->look.raw_ns;
	int64_t least_ns = hpt_scale_round((int64_t)(look->before - rec->look.after - rules->step), rules->ns_per_tick);
	int64_t most_ns = hpt_scale_round((int64_t)(look->after - rec->look.before + rules->step), rules->ns_per_tick);
	int64_t allowed_ns = hpt_scale_round(raw_ns, hpt_scale_of(rules->clock_ppb, PPB));

	allowed_ns = hpt_sum(allowed_ns, JUMP_NS + 2 * (int64_t)rules->step_ns);
	return hpt_sum(least_ns, -allowed_ns) > raw_ns || hpt_sum(most_ns, allowed_ns) < raw_ns;
}

static bool is_disrupted(const struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
			 const struct hpt_wall_look *look)
{
	if (look->has_marker && rec->read.marker_seq != HPT_WALL_NO_SEQ && rec->read.marker != look->marker)
		return true;
	if (!look->has_clocks || !rec->look.is_valid)
		return false;
	if (look->asleep_lo_ns > rec->look.asleep_hi_ns || look->asleep_hi_ns < rec->look.asleep_lo_ns)
		return true;
	return counter_has_jumped(rec, rules, look);
}

/* The clock may have learned its own rate better since. If it has got another one, the lines are void. */
static bool has_other_rate(const struct hpt_wall_record *rec, const struct hpt_wall_rules *rules)
{
	struct hpt_band band = rec->read.bound.band;

	return rec->has_bound && !hpt_band_cut(&band, &rules->nominal);
}

/*
 * The kernel slews CLOCK_REALTIME and CLOCK_MONOTONIC alike: their difference moves only if the former is set, or if
 * the machine slept. At a leap second the kernel sets it by that, and daemons know.
 */
static bool has_wall_step(const struct hpt_wall_record *rec, const struct hpt_wall_look *look)
{
	int64_t by_ns = rec->flags & HPT_WALL_SMEARED ? 0 : -rec->leap.sign * NS_PER_S;

	if (!look->has_wall || !rec->look.has_unix)
		return false;
	if (look->wall_lo_ns <= rec->look.unix_hi_ns && look->wall_hi_ns >= rec->look.unix_lo_ns)
		return false;
	return look->wall_lo_ns > rec->look.unix_hi_ns + by_ns || look->wall_hi_ns < rec->look.unix_lo_ns + by_ns;
}

static void note_wall_step(struct hpt_wall_record *rec, const struct hpt_wall_look *look)
{
	if (has_wall_step(rec, look)) {
		rec->settle.has_step = 1;
		rec->settle.step_tick = look->after;
		rec->settle.settled = rec->settle.updates = 0;
	}
	rec->look.has_unix = look->has_wall;
	rec->look.unix_lo_ns = look->wall_lo_ns;
	rec->look.unix_hi_ns = look->wall_hi_ns;
}

static void remember_look(struct hpt_wall_record *rec, const struct hpt_wall_look *look)
{
	rec->look.is_valid = look->has_clocks;
	rec->look.before = look->before;
	rec->look.after = look->after;
	rec->look.raw_ns = look->raw_ns;
	rec->look.asleep_lo_ns = look->asleep_lo_ns;
	rec->look.asleep_hi_ns = look->asleep_hi_ns;
	rec->read.marker = look->marker;
	rec->read.marker_seq = look->has_marker ? look->marker_seq : HPT_WALL_NO_SEQ;
}

/* The clock found out more than a look does: that the kernel left the counter, or that it jumped and came back. */
static bool has_clock_event(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules)
{
	bool is_new = rules->clock_event && rules->clock_event != rec->look.clock_event;

	if (is_new)
		rec->look.clock_event = rules->clock_event;
	return is_new;
}

COLD void hpt_wall_record_init(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
			       const struct hpt_wall_look *look)
{
	*rec = (struct hpt_wall_record){
		.read.generation = 1, .read.status = (uint64_t)rules->flags << 32,
		.look.clock_event = rules->clock_event,
	};
	remember_look(rec, look);
	note_wall_step(rec, look);
}

COLD void hpt_wall_record_disrupt(struct hpt_wall_record *rec, uint64_t tick)
{
	rec->counts.disruptions++;
	rec->look.is_valid = 0;
	rec->has_void = 1;
	rec->void_before = tick;
	begin_generation(rec, HPT_WALL_DISRUPTED, tick);
}

COLD void hpt_wall_record_look(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
			       const struct hpt_wall_look *look)
{
	bool was_covered = hpt_leap_uncover(&rec->leap, &rec->read.bound), has_event = has_clock_event(rec, rules);

	if (has_event || is_disrupted(rec, rules, look) || has_other_rate(rec, rules))
		hpt_wall_record_disrupt(rec, look->after);
	remember_look(rec, look);
	note_wall_step(rec, look);
	pass_time(rec, rules, look->after, was_covered);
}

/* ---- Samples ------------------------------------------------------------------------------------------------- */

/* The sample that is being added. */
struct added {
	const struct hpt_wall_rules *rules;
	const struct hpt_wall_reading *reading;
	struct hpt_bound_lines lines;
	uint64_t bit, now;
	bool is_possible; /* the source's rate is one that the clock may have */
};

static int refuse(struct hpt_wall_record *rec, uint32_t source, int r)
{
	rec->counts.refused++;
	rec->counts.refused_of[source]++;
	return r;
}

static void note_tai(struct hpt_wall_record *rec, const struct hpt_wall_reading *reading)
{
	if (!reading->tai_offset_s)
		return;
	rec->leap.tai_offset_s = reading->tai_offset_s;
	rec->leap.tai_at_ns = reading->sample.latest_ns;
}

/* A sample from after a leap second that the wall has not passed yet. */
static bool is_after_leap(const struct hpt_wall_record *rec, const struct hpt_wall_sample *s)
{
	return rec->leap.at_ns && s->earliest_ns > rec->leap.at_ns + HPT_LEAP_NEAR_NS;
}

static bool is_sample_near_leap(const struct hpt_wall_record *rec, const struct hpt_wall_sample *s)
{
	struct hpt_utc utc = { s->earliest_ns, s->latest_ns };

	return !(s->flags & HPT_WALL_SMEARED) && hpt_leap_is_near(&rec->leap, utc);
}

static void make_bound(struct hpt_wall_record *rec, const struct hpt_bound_lines *lines, uint64_t first)
{
	rec->read.bound = rec->baseline = *lines;
	rec->has_bound = 1;
	rec->first = first;
}

static uint64_t width(const struct hpt_bound_lines *lines)
{
	return hpt_fixed_sub(lines->hi, lines->lo).ns;
}

/* The average since the baseline narrows the band. A much narrower bound becomes the next baseline. */
static bool learn_rate(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules)
{
	uint64_t ticks = rec->read.bound.tick - rec->baseline.tick;
	struct hpt_band average;

	if ((int64_t)ticks <= 0)
		return true;
	average = hpt_band_between(hpt_bound_after(&rec->baseline, 0), hpt_bound_after(&rec->read.bound, 0), ticks,
				   ticks);
	average = hpt_band_widened(&average, rules->wander_ppb);
	if (width(&rec->read.bound) <= width(&rec->baseline) / 2)
		rec->baseline = rec->read.bound;
	return hpt_band_cut(&rec->read.bound.band, &average);
}

/* What the latest samples of those sources have in common, with the one being added. */
static bool cut_latest(const struct hpt_wall_record *rec, const struct added *a, uint64_t mask,
		       struct hpt_bound_lines *ret)
{
	*ret = a->lines;
	for (uint32_t i = 1; i < HPT_WALL_SOURCES; i++) {
		struct hpt_bound_lines lines = rec->latest[i].lines;

		if (!(mask & ~a->bit & bit_of(i)))
			continue;
		if ((rec->latest[i].flags ^ a->reading->sample.flags) & HPT_WALL_SMEARED || !hpt_bound_cut(ret, &lines))
			return false;
	}
	return true;
}

/* Samples may come late: from before the latest one. */
static void note_time(struct hpt_wall_record *rec, const struct added *a)
{
	uint64_t after = (uint64_t)a->reading->sample.after;
	const struct hpt_wall_latest *latest = &rec->latest[a->reading->sample.source];

	if (rec->live && (int64_t)(after - rec->sampled) < 0)
		return;
	rec->interval = rec->live & a->bit ? after - latest->lines.tick : 0;
	rec->sampled = after;
	rec->is_holdover = a->reading->is_holdover;
}

static int accept_added(struct hpt_wall_record *rec, const struct added *a)
{
	const struct hpt_wall_sample *s = &a->reading->sample;

	note_tai(rec, a->reading);
	note_time(rec, a);
	if (!(rec->live & a->bit) || (int64_t)(a->lines.tick - rec->latest[s->source].lines.tick) >= 0)
		rec->latest[s->source] = (struct hpt_wall_latest){ .lines = a->lines, .flags = s->flags };
	rec->live |= a->bit;
	rec->settle.settled |= a->bit;
	rec->flags |= s->flags;
	rec->counts.samples++;
	rec->counts.samples_of[s->source]++;
	return 0;
}

static void make_synced(struct hpt_wall_record *rec, const struct added *a, const struct hpt_bound_lines *lines)
{
	make_bound(rec, lines, (uint64_t)a->reading->sample.before);
	set_state(rec, HPT_WALL_SYNCED);
}

static uint64_t flags_of(const struct hpt_wall_record *rec, uint64_t mask)
{
	uint64_t flags = 0;

	for (uint32_t i = 1; i < HPT_WALL_SOURCES; i++)
		if (mask & bit_of(i))
			flags |= rec->latest[i].flags;
	return flags;
}

/* Trusted sources win: what they state together goes on alone. */
static bool keep_trusted(struct hpt_wall_record *rec, const struct added *a)
{
	uint64_t trusted = rec->live & a->rules->trusted;
	struct hpt_bound_lines lines;

	if (!(a->bit & a->rules->trusted) || !a->is_possible || !cut_latest(rec, a, trusted, &lines))
		return false;
	begin_generation(rec, HPT_WALL_SYNCED, a->now);
	rec->live = trusted;
	rec->flags = flags_of(rec, trusted & ~a->bit);
	make_synced(rec, a, &lines);
	return true;
}

/* Samples have nothing in common. Nothing is chosen: each source must state something again. */
static int contradict(struct hpt_wall_record *rec, const struct added *a)
{
	uint32_t source = a->reading->sample.source;
	uint64_t live = rec->live;

	rec->counts.contradictions++;
	/* A trusted source that is silent for too long wins no more. */
	if (!(a->bit & a->rules->trusted) && live & a->rules->trusted && hpt_wall_record_state(rec) != HPT_WALL_STALE)
		return refuse(rec, source, -EAGAIN);
	if (keep_trusted(rec, a))
		return accept_added(rec, a);
	begin_generation(rec, HPT_WALL_CONTRADICTED, a->now);
	rec->awaited = live | a->bit;
	return refuse(rec, source, -EAGAIN);
}

/* After a contradiction: once all sources that took part have stated something again, or were silent for long. */
static int add_to_settle(struct hpt_wall_record *rec, const struct added *a)
{
	struct hpt_bound_lines lines;

	rec->awaited &= ~a->bit;
	if (age_ns(a->rules, rec->first, a->now) > HOLDOVER_NS)
		rec->awaited = 0;
	if (!rec->awaited) {
		if (!cut_latest(rec, a, rec->live, &lines))
			return contradict(rec, a);
		make_synced(rec, a, &lines);
	}
	return accept_added(rec, a);
}

static int add_to_bound(struct hpt_wall_record *rec, const struct added *a)
{
	struct hpt_wall_record next = *rec;
	bool is_like = !((rec->flags ^ a->reading->sample.flags) & HPT_WALL_SMEARED);

	if (!is_like || !hpt_bound_cut(&next.read.bound, &a->lines) || !learn_rate(&next, a->rules))
		return contradict(rec, a);
	*rec = next;
	if ((int64_t)((uint64_t)a->reading->sample.before - rec->first) < 0)
		rec->first = (uint64_t)a->reading->sample.before;
	return accept_added(rec, a);
}

/*
 * The sample's lines go by what is sure without other sources: these have put what they know into the bound, and one of
 * them may turn out to be wrong. by_ns: from the sample's Unix time to the bound's.
 */
static int add(struct hpt_wall_record *rec, struct added *a, int64_t by_ns)
{
	const struct hpt_wall_sample *s = &a->reading->sample;
	struct hpt_band band = a->rules->nominal, rate = a->rules->nominal;

	if (a->reading->has_rate)
		rate = hpt_band_widened(&a->reading->rate, a->rules->wander_ppb);
	a->is_possible = hpt_band_cut(&band, &rate);
	a->lines = hpt_bound_of((uint64_t)s->before, (uint64_t)s->after,
				(struct hpt_utc){ s->earliest_ns + by_ns, s->latest_ns + by_ns }, a->rules->step,
				&band);
	if (!a->is_possible)
		return contradict(rec, a);
	if (hpt_wall_record_state(rec) == HPT_WALL_CONTRADICTED)
		return add_to_settle(rec, a);
	if (rec->has_bound)
		return add_to_bound(rec, a);
	make_synced(rec, a, &a->lines);
	return accept_added(rec, a);
}

/* What was stated before an event is void, even if the sample was made of it later. */
static bool is_of_before(const struct hpt_wall_record *rec, const struct hpt_wall_reading *reading)
{
	uint64_t stated = (uint64_t)reading->sample.before - reading->age_ticks;

	return rec->has_void && (int64_t)(stated - rec->void_before) < 0;
}

/* A window that began 2^63 ticks or ten years ago is too wide for the lines, whatever age the program allows. */
static bool is_too_old(const struct hpt_wall_rules *rules, const struct hpt_wall_sample *s, uint64_t now)
{
	int64_t age = age_ns(rules, (uint64_t)s->after, now);
	int64_t window = age_ns(rules, (uint64_t)s->before, (uint64_t)s->after);

	return (int64_t)(now - (uint64_t)s->before) < 0 ||
	       hpt_sum(age, window) > smaller(rules->max_age_ns, BOUND_MOST_NS);
}

COLD bool hpt_wall_record_is_settling(const struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
				      const struct hpt_wall_reading *reading, uint64_t now)
{
	bool is_new = reading->updated_ns != rec->settle.updated_ns;

	if (!reading->settle_ns || !rec->settle.has_step || rec->settle.settled & bit_of(reading->sample.source))
		return false;
	return age_ns(rules, rec->settle.step_tick, now) < reading->settle_ns || reading->is_holdover ||
	       (reading->updated_ns && rec->settle.updates + is_new < UPDATES_SETTLED);
}

/* Only one source says when. */
static void note_update(struct hpt_wall_record *rec, const struct hpt_wall_reading *reading)
{
	if (!reading->updated_ns || reading->updated_ns == rec->settle.updated_ns)
		return;
	rec->settle.updated_ns = reading->updated_ns;
	rec->settle.updates++;
}

COLD int hpt_wall_record_add(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
			     const struct hpt_wall_reading *reading, uint64_t now)
{
	const struct hpt_wall_sample *s = &reading->sample;
	struct added a = { .rules = rules, .reading = reading, .bit = bit_of(s->source), .now = now };
	bool was_covered;
	int r = -EAGAIN;

	note_update(rec, reading);
	if (is_of_before(rec, reading) || is_too_old(rules, s, now) ||
	    hpt_wall_record_is_settling(rec, rules, reading, now))
		return refuse(rec, s->source, -ERANGE);
	was_covered = hpt_leap_uncover(&rec->leap, &rec->read.bound);
	/* One that came while there was no bound. */
	if (!rec->has_bound && is_after_leap(rec, s))
		pass_leap(rec, (uint64_t)s->before);
	note_leap(rec, reading, now);
	if (is_sample_near_leap(rec, s)) {
		(void)refuse(rec, s->source, r);
	} else {
		r = add(rec, &a, is_after_leap(rec, s) ? leap_ns(rec) : 0);
		rec->unsynced &= ~a.bit;
	}
	pass_time(rec, rules, now, was_covered);
	return r;
}

COLD void hpt_wall_record_note_unsynced(struct hpt_wall_record *rec, uint32_t source, bool is_unsynced)
{
	rec->unsynced = is_unsynced ? rec->unsynced | bit_of(source) : rec->unsynced & ~bit_of(source);
	set_state(rec, state_without_sample(rec));
}
