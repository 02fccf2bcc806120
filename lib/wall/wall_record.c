// SPDX-License-Identifier: MIT
/* The next record of a wall: lib/wall/wall_record.h. */
#include "wall/wall_record.h"

#include "arch/arch.h"
#include "math/units.h"

/* After this time without a sample, or eight of the intervals between the latest two, a bound is HOLDOVER's. */
#define HOLDOVER_NS        (60 * NS_PER_S)
#define HOLDOVER_INTERVALS 8
#define HOLDOVER_LEAST_NS  NS_PER_S

/* Lines that nothing has moved for ten years are dropped before they leave int64: see HPT_WALL_MOST_NS. */
#define BOUND_MOST_NS (3650 * 86400 * NS_PER_S)

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
	return rec->flags & HPT_WALL_FLAG_SMEARED ? 0 : rec->leap.sign * NS_PER_S;
}

static void pass_leap(struct hpt_wall_record *rec, uint64_t tick)
{
	int64_t by_ns = -leap_ns(rec);

	shift(&rec->read.bound, by_ns);
	shift(&rec->learned.lines, by_ns);
	shift(&rec->learned.baseline, by_ns);
	for (uint32_t i = 0; i < HPT_WALL_SOURCES; i++)
		shift(&rec->latest[i].lines, by_ns);
	hpt_leap_pass(&rec->leap);
	rec->read.generation++;
	rec->first = rec->void_before = tick;
	rec->has_void = 1;
	rec->settle.events.voids += by_ns != 0;
}

/* The bound is without cover. True if UTC is, perhaps, near a leap second. */
static bool is_near_leap(struct hpt_wall_record *rec, uint64_t tick)
{
	struct hpt_utc utc = hpt_bound_at(&rec->read.bound, tick);

	if (hpt_leap_is_past(&rec->leap, utc)) {
		pass_leap(rec, tick);
		return false;
	}
	return !(rec->flags & HPT_WALL_FLAG_SMEARED) && hpt_leap_is_near(&rec->leap, utc);
}

/* A leap second that is announced too late begins a generation. */
static void note_leap(struct hpt_wall_record *rec, const struct hpt_wall_reading *reading, uint64_t now)
{
	int64_t latest_ns = rec->has_bound ? hpt_bound_at(&rec->read.bound, now).hi_ns : INT64_MIN;

	if (hpt_leap_note(&rec->leap, reading, latest_ns))
		begin_generation(rec, HPT_WALL_STATE_LEAP, now);
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

	if (hpt_wall_record_state(rec) == HPT_WALL_STATE_SYNCED)
		ns = smaller(ns, holdover_ns(rec, rules) - age);
	if (rec->leap.at_ns && !rec->leap.is_covered && !(rec->flags & HPT_WALL_FLAG_SMEARED))
		/* Twice the rate: the upper line may be as fast as that. */
		ns = smaller(ns, (rec->leap.at_ns - HPT_LEAP_NEAR_NS - hpt_bound_at(&rec->read.bound, tick).hi_ns) / 2);
	return ns;
}

static uint32_t state_of_age(const struct hpt_wall_record *rec, const struct hpt_wall_rules *rules, uint64_t tick)
{
	int64_t age = age_ns(rules, rec->sampled, tick);

	if (age > rules->max_age_ns)
		return HPT_WALL_STATE_STALE;
	return rec->is_holdover || age >= holdover_ns(rec, rules) ? HPT_WALL_STATE_HOLDOVER : HPT_WALL_STATE_SYNCED;
}

/* Without a bound: an event's state stays, else it counts if a source has said that it has none. */
static uint32_t state_without_sample(const struct hpt_wall_record *rec)
{
	uint32_t state = hpt_wall_record_state(rec);

	if (rec->has_bound || (state != HPT_WALL_STATE_NONE && state != HPT_WALL_STATE_UNSYNCED))
		return state;
	return rec->unsynced ? HPT_WALL_STATE_UNSYNCED : HPT_WALL_STATE_NONE;
}

/* Sets state, flags, cover and span for this tick. The bound is without cover, and was_covered says if it had one. */
static void pass_time(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules, uint64_t tick, bool was_covered)
{
	uint64_t steady;
	uint32_t state;
	bool is_near;

	rec->read.span = 0;
	if (rec->has_bound && age_ns(rules, rec->read.bound.tick, tick) > BOUND_MOST_NS)
		begin_generation(rec, HPT_WALL_STATE_STALE, tick);
	is_near = rec->has_bound && is_near_leap(rec, tick);
	state = rec->has_bound ? state_of_age(rec, rules, tick) : state_without_sample(rec);
	if (is_near && !rules->covers_leap)
		state = HPT_WALL_STATE_LEAP;
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

/* The clock may have learned its own rate better since. If it has got another one, the lines are void. */
static bool has_other_rate(const struct hpt_wall_record *rec, const struct hpt_wall_rules *rules)
{
	struct hpt_band band = rec->read.bound.band;

	return rec->has_bound && !hpt_band_cut(&band, &rules->nominal);
}

static void note_wall_step(struct hpt_wall_record *rec, const struct hpt_wall_look *look)
{
	if (hpt_wall_is_stepped(&rec->look, look, -leap_ns(rec))) {
		rec->settle.has_step = 1;
		rec->settle.step_tick = look->after;
		rec->settle.events.steps++;
		rec->settle.events.step_lo_ns = hpt_sum(look->wall_lo_ns, -rec->look.unix_hi_ns);
		rec->settle.events.step_hi_ns = hpt_sum(look->wall_hi_ns, -rec->look.unix_lo_ns);
	}
	rec->look.has_unix = look->has_wall;
	rec->look.unix_lo_ns = look->wall_lo_ns;
	rec->look.unix_hi_ns = look->wall_hi_ns;
	if (look->has_wall)
		hpt_shown_note(&rec->shown, look->wall_lo_ns, look->wall_hi_ns, look->mono_ns);
}

static void remember_look(struct hpt_wall_record *rec, const struct hpt_wall_look *look)
{
	rec->look.is_valid = look->has_clocks;
	rec->look.before = look->before;
	rec->look.after = look->after;
	rec->look.raw_ns = look->raw_ns;
	rec->look.asleep_lo_ns = look->asleep_lo_ns;
	rec->look.asleep_hi_ns = look->asleep_hi_ns;
	rec->read.marker = look->marks.marker;
	rec->read.marker_seq = look->has_marks ? look->marks.seq : HPT_WALL_NO_SEQ;
	rec->look.has_vm_generation = look->marks.has_generation;
	rec->look.vm_generation = look->marks.generation;
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
	rec->settle.events.voids++;
	rec->look.is_valid = 0;
	rec->has_void = 1;
	rec->void_before = tick;
	begin_generation(rec, HPT_WALL_STATE_DISRUPTED, tick);
}

COLD void hpt_wall_record_look(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
			       const struct hpt_wall_look *look)
{
	bool was_covered = hpt_leap_uncover(&rec->leap, &rec->read.bound), has_event = has_clock_event(rec, rules);
	bool has_marks = look->has_marks && rec->read.marker_seq != HPT_WALL_NO_SEQ;
	bool is_clone = has_marks && hpt_wall_is_cloned(&rec->look, look);
	bool is_moved = has_marks && rec->read.marker != look->marks.marker;

	rec->read.clones += is_clone;
	if (has_event || is_clone || is_moved || hpt_wall_is_disrupted(&rec->look, rules, look) ||
	    has_other_rate(rec, rules))
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
	/* By the nominal rate; by what the bound knows of it; and by what this epoch's statements alone do. */
	struct hpt_utc utc, utc_now, utc_epoch;
	struct hpt_bound_lines lines, sharp, epoch; /* of these */
	int64_t by_ns;                      /* from the sample's Unix time to the bound's */
	uint64_t bit, now;
	bool is_new;      /* it states something that it has not stated before */
	bool is_possible; /* the source's rate is one that the clock may have */
};

static uint32_t refuse(struct hpt_wall_record *rec, uint32_t source, uint32_t reason)
{
	rec->counts.refused++;
	rec->counts.refused_of[hpt_wall_source_place(source)]++;
	return reason;
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

	return !(s->flags & HPT_WALL_FLAG_SMEARED) && hpt_leap_is_near(&rec->leap, utc);
}

/* What the latest samples of those sources have in common, with the one being added. */
static bool cut_latest(const struct hpt_wall_record *rec, const struct added *a, uint64_t mask,
		       struct hpt_bound_lines *ret)
{
	*ret = a->lines;
	for (uint32_t i = 0; i < HPT_WALL_SOURCES; i++) {
		struct hpt_bound_lines lines = rec->latest[i].lines;

		if (!(mask & ~a->bit & UINT64_C(1) << i))
			continue;
		if ((rec->latest[i].flags ^ a->reading->sample.flags) & HPT_WALL_FLAG_SMEARED ||
		    !hpt_bound_cut(ret, &lines))
			return false;
	}
	return true;
}

/* Samples may come late: from before the latest one. */
static void note_time(struct hpt_wall_record *rec, const struct added *a)
{
	uint64_t after = (uint64_t)a->reading->sample.after;
	const struct hpt_wall_latest *latest = &rec->latest[hpt_wall_source_place(a->reading->sample.source)];

	if (rec->live && (int64_t)(after - rec->sampled) < 0)
		return;
	rec->interval = rec->live & a->bit ? after - latest->lines.tick : 0;
	rec->sampled = after;
	rec->is_holdover = a->reading->is_holdover;
}

static uint32_t accept_added(struct hpt_wall_record *rec, const struct added *a)
{
	const struct hpt_wall_sample *s = &a->reading->sample;
	uint32_t place = hpt_wall_source_place(s->source);

	note_tai(rec, a->reading);
	note_time(rec, a);
	if (!(rec->live & a->bit) || (int64_t)(a->lines.tick - rec->latest[place].lines.tick) >= 0)
		rec->latest[place] = (struct hpt_wall_latest){ .lines = a->lines, .flags = s->flags };
	rec->live |= a->bit;
	rec->flags |= s->flags;
	rec->counts.samples++;
	rec->counts.samples_of[place]++;
	return HPT_WALL_REASON_NONE;
}

static void make_synced(struct hpt_wall_record *rec, const struct added *a, const struct hpt_bound_lines *lines)
{
	rec->read.bound = *lines;
	hpt_learned_begin(&rec->learned, lines);
	rec->has_bound = 1;
	rec->first = (uint64_t)a->reading->sample.before;
	set_state(rec, HPT_WALL_STATE_SYNCED);
}

static uint64_t flags_of(const struct hpt_wall_record *rec, uint64_t mask)
{
	uint64_t flags = 0;

	for (uint32_t i = 0; i < HPT_WALL_SOURCES; i++)
		if (mask & UINT64_C(1) << i)
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
	begin_generation(rec, HPT_WALL_STATE_SYNCED, a->now);
	rec->live = trusted;
	rec->flags = flags_of(rec, trusted & ~a->bit);
	make_synced(rec, a, &lines);
	return true;
}

/* Samples have nothing in common. Nothing is chosen: each source must state something again. */
static uint32_t contradict(struct hpt_wall_record *rec, const struct added *a)
{
	uint32_t source = a->reading->sample.source;
	uint64_t live = rec->live;

	rec->counts.contradictions++;
	/* A trusted source that is silent for too long wins no more. */
	if (!(a->bit & a->rules->trusted) && live & a->rules->trusted &&
	    hpt_wall_record_state(rec) != HPT_WALL_STATE_STALE)
		return refuse(rec, source, HPT_WALL_REASON_CONTRADICTED);
	if (keep_trusted(rec, a))
		return accept_added(rec, a);
	begin_generation(rec, HPT_WALL_STATE_CONTRADICTED, a->now);
	rec->awaited = live | a->bit;
	return refuse(rec, source, HPT_WALL_REASON_CONTRADICTED);
}

/* After a contradiction: once all sources that took part have stated something again, or were silent for long. */
static uint32_t add_to_settle(struct hpt_wall_record *rec, const struct added *a)
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

/* False: it contradicts what was learned. */
static bool learn(struct hpt_wall_record *rec, const struct added *a)
{
	struct hpt_learned *learned = &rec->learned;
	bool may_widen = age_ns(a->rules, learned->widened, a->now) >= HPT_WALL_LOOK_NS;

	if (!hpt_learned_add(learned, &a->epoch, a->rules->wander_ppb) ||
	    !hpt_learned_apply(learned, &a->rules->nominal, a->now, may_widen, &rec->read.bound))
		return false;
	learned->n_new += a->is_new;
	if (learned->n_new >= HPT_LEARNED_EPOCH_NEW && age_ns(a->rules, learned->begun, a->now) >= HPT_LEARNED_EPOCH_NS)
		hpt_learned_next(learned, &a->lines);
	return true;
}

static uint32_t add_to_bound(struct hpt_wall_record *rec, const struct added *a)
{
	struct hpt_wall_record next = *rec;
	bool is_like = !((rec->flags ^ a->reading->sample.flags) & HPT_WALL_FLAG_SMEARED);

	if (!is_like || !hpt_bound_cut(&next.read.bound, &a->sharp) || !learn(&next, a))
		return contradict(rec, a);
	*rec = next;
	if ((int64_t)((uint64_t)a->reading->sample.before - rec->first) < 0)
		rec->first = (uint64_t)a->reading->sample.before;
	return accept_added(rec, a);
}

static struct hpt_bound_lines lines_of(const struct added *a, struct hpt_utc utc, const struct hpt_band *band)
{
	const struct hpt_wall_sample *s = &a->reading->sample;

	utc.lo_ns += a->by_ns;
	utc.hi_ns += a->by_ns;
	return hpt_bound_of((uint64_t)s->before, (uint64_t)s->after, utc, a->rules->step, band);
}

/*
 * The sample's lines go by what is sure without other sources: these have put what they know into the bound, and one of
 * them may turn out to be wrong.
 */
static uint32_t add(struct hpt_wall_record *rec, struct added *a)
{
	struct hpt_band band = a->rules->nominal, rate = a->rules->nominal;

	if (a->reading->has_rate)
		rate = hpt_band_widened(&a->reading->rate, a->rules->wander_ppb);
	a->is_possible = hpt_band_cut(&band, &rate);
	a->lines = lines_of(a, a->utc, &band);
	a->sharp = lines_of(a, a->utc_now, &band);
	a->epoch = lines_of(a, a->utc_epoch, &band);
	if (!a->is_possible)
		return contradict(rec, a);
	if (hpt_wall_record_state(rec) == HPT_WALL_STATE_CONTRADICTED)
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

/* CLOCK_REALTIME was set so lately that a source which states how far it is off UTC may not know of it. */
static bool is_settling(const struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
			const struct hpt_wall_reading *reading, uint64_t now)
{
	return rec->settle.has_step && age_ns(rules, rec->settle.step_tick, now) < reading->settle_ns;
}

/* ---- Measurements -------------------------------------------------------------------------------------------- */

static struct hpt_measured_rates rates_of(const struct hpt_wall_rules *rules)
{
	return (struct hpt_measured_rates){
		.ns_per_tick = rules->ns_per_tick, .tick_per_ns = rules->tick_per_ns, .error_ppb = rules->clock_ppb,
		.utc = rules->nominal,
	};
}

/* UTC by the reading's measurements: with nothing but the nominal rate, and with what was learned of it. */
static uint32_t age_measured(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
			     const struct hpt_wall_reading *reading, struct added *a)
{
	struct hpt_measured_rates rates = rates_of(rules);
	int64_t leap_at_ns = rec->flags & HPT_WALL_FLAG_SMEARED ? 0 : rec->leap.at_ns;
	uint32_t reason;

	a->is_new = hpt_measured_note(&rec->measured, reading, &rec->settle.events, &rates);
	reason = hpt_measured_bound(&rec->measured, reading, &rates, leap_at_ns, &a->utc);
	a->utc_now = a->utc_epoch = a->utc;
	if (reason || !rec->has_bound)
		return reason;
	rates.utc = rec->learned.lines.band;
	reason = hpt_measured_bound(&rec->measured, reading, &rates, leap_at_ns, &a->utc_epoch);
	rates.utc = rec->read.bound.band;
	return reason ? reason : hpt_measured_bound(&rec->measured, reading, &rates, leap_at_ns, &a->utc_now);
}

/* Sets what the statement says of UTC. Its reading has that, too, as the widest of it. */
static uint32_t say_utc(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
			struct hpt_wall_reading *reading, struct added *a)
{
	uint32_t reason;

	a->utc = (struct hpt_utc){ reading->sample.earliest_ns, reading->sample.latest_ns };
	a->utc_now = a->utc_epoch = a->utc;
	a->is_new = true;
	if (!reading->n_measured)
		return HPT_WALL_REASON_NONE;
	reason = age_measured(rec, rules, reading, a);
	if (!reason && !hpt_wall_is_plausible(a->utc.lo_ns, a->utc.hi_ns))
		reason = HPT_WALL_REASON_ABSURD;
	reading->sample.earliest_ns = a->utc.lo_ns;
	reading->sample.latest_ns = a->utc.hi_ns;
	rec->counts.contradictions += reason == HPT_WALL_REASON_CONTRADICTED;
	return reason;
}

/* ---- What comes from sources ------------------------------------------------------------------------------- */

static uint32_t add_statement(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules, struct added *a)
{
	const struct hpt_wall_sample *s = &a->reading->sample;
	bool was_covered = hpt_leap_uncover(&rec->leap, &rec->read.bound);
	uint32_t reason = HPT_WALL_REASON_LEAP;

	/* One that came while there was no bound. */
	if (!rec->has_bound && is_after_leap(rec, s))
		pass_leap(rec, (uint64_t)s->before);
	note_leap(rec, a->reading, a->now);
	if (is_sample_near_leap(rec, s)) {
		(void)refuse(rec, s->source, reason);
	} else {
		a->by_ns = is_after_leap(rec, s) ? leap_ns(rec) : 0;
		reason = add(rec, a);
		rec->unsynced &= ~a->bit;
	}
	pass_time(rec, rules, a->now, was_covered);
	return reason;
}

/* Not inline: its caller would keep these 3 KiB of stack when it looks and publishes. */
COLD __attribute__((noinline)) uint32_t hpt_wall_record_add(struct hpt_wall_record *rec,
							    const struct hpt_wall_rules *rules,
							    const struct hpt_wall_reading *reading, uint64_t now)
{
	struct hpt_wall_reading utc = *reading;
	struct added a = { .rules = rules, .reading = &utc, .bit = utc.sample.source, .now = now };
	uint32_t reason = say_utc(rec, rules, &utc, &a);

	if (!reason && (is_of_before(rec, &utc) || is_too_old(rules, &utc.sample, now)))
		reason = HPT_WALL_REASON_OLD;
	if (!reason && is_settling(rec, rules, &utc, now))
		reason = HPT_WALL_REASON_STEPPED;
	return reason ? refuse(rec, utc.sample.source, reason) : add_statement(rec, rules, &a);
}

COLD void hpt_wall_record_note_unsynced(struct hpt_wall_record *rec, const struct hpt_wall_rules *rules,
					const struct hpt_wall_reading *reading)
{
	const struct hpt_measured_rates rates = rates_of(rules);

	if (reading->n_measured)
		(void)hpt_measured_note(&rec->measured, reading, &rec->settle.events, &rates);
	rec->unsynced |= reading->sample.source;
	set_state(rec, state_without_sample(rec));
}
