// SPDX-License-Identifier: MIT
/* A sleep's deadline in ticks, and the comparison of counter and clock: lib/sleep/deadline.h. */
#include "sleep/deadline.h"

#include <errno.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "clock/timekeeper.h"

#define PPB 1000000000

/* Where no clock could be read the counter counts as one that lost time: any negative number. */
#define BLIND (-1)

/* Readings that a check takes until one is narrow and the record predicts it. */
#define READ_TRIES 6

/*
 * Beyond this a difference between counter and clock makes a check sample the clocks, which shows whether it is a step.
 * Less than HPT_SPIN_GAP_NS, even if the record is a second old.
 */
#define SUSPECT_NS 5000

/* If a rate's error is larger than this the rate is as good as unknown. */
#define ERROR_MOST_PPB (PPB / HPT_DIVERGED_SHARE)

/* Until the rate is measured again two oscillators may drift apart by this share, 15 ppm. */
#define DRIFT_SHARE 65536

/* The kernel's clocks, all read between two reads of the counter. */
struct reading {
	struct hpt_bracket b; /* of the reference clock: CLOCK_MONOTONIC_RAW; for the OS clock CLOCK_MONOTONIC */
	int64_t mono_ns;      /* CLOCK_MONOTONIC */
	int64_t unix_ns;      /* the program's CLOCK_REALTIME, for a sleep that follows it */
	bool    is_blind;     /* no clock could be read */
};

/* ---- Ticks and timelines ---------------------------------------------------------------------------------- */

/* Saturates. */
static uint64_t later(uint64_t tick, struct hpt_wide ticks)
{
	struct hpt_wide sum = hpt_wide_add(hpt_wide_of((int64_t)tick), ticks);
	int64_t ret = hpt_wide_is_negative(sum) ? INT64_MIN : INT64_MAX;

	hpt_wide_narrow(sum, &ret);
	return (uint64_t)ret;
}

/*
 * The time of a tick on the sleep's timeline. A record without lines follows the kernel's clocks, and so does the OS
 * clock's Unix time: then it is kernel_ns.
 */
static int64_t line_ns(const struct hpt_sleep *sl, const struct hpt_record *rec, uint64_t tick, int64_t kernel_ns)
{
	bool is_unix = sl->asked.kind == HPT_DEADLINE_UNIX_NS, is_exact = hpt_record_is_exact(rec);

	if (is_exact && !is_unix)
		return (int64_t)tick;
	if (is_exact || !rec->read.line_span)
		return kernel_ns;
	return (int64_t)hpt_line_at(is_unix ? &rec->read.unix_ns : &rec->read.ns, rec->read.start, tick).ns;
}

/* Sets the deadline to the tick at which the timeline reaches `at`: never early, so possibly one tick late. */
static void set_deadline(struct hpt_sleep *sl, const struct hpt_record *rec, uint64_t tick, int64_t kernel_ns)
{
	struct hpt_scale slope = sl->asked.kind == HPT_DEADLINE_UNIX_NS ? rec->read.unix_ns.slope : rec->read.ns.slope;
	struct hpt_wide ns = hpt_wide_subtract(hpt_wide_of(sl->asked.at), hpt_wide_of(line_ns(sl, rec, tick, kernel_ns)));

	sl->spin.deadline = later(tick, hpt_scale_divide(ns, slope));
	if (!hpt_wide_is_negative(ns) && (ns.hi | ns.lo))
		sl->spin.deadline = later(sl->spin.deadline, hpt_wide_of(1));
}

/* ---- Readings ------------------------------------------------------------------------------------------------ */

static int64_t between_ns(const struct hpt_record *rec, uint64_t from, uint64_t to)
{
	return hpt_scale_round((int64_t)(to - from), rec->ns_per_tick);
}

/* The OS clock may be replaced by one that runs at any rate. */
static struct hpt_compared rate_of(const struct hpt_record *rec)
{
	return (struct hpt_compared){ rec->ns_per_tick, hpt_record_is_exact(rec) ? UINT64_MAX : rec->error_ppb };
}

/* How far counter and clock may differ after passed_ns: by least_ns and the error of the rate. */
static int64_t allowed_ns(const struct hpt_compared *rate, int64_t passed_ns, int64_t least_ns)
{
	const int64_t most_ns = INT64_MAX / ERROR_MOST_PPB * 1000;

	if (passed_ns < 0)
		passed_ns = 0;
	if (rate->error_ppb > ERROR_MOST_PPB)
		return HPT_DIVERGED_NS + passed_ns / HPT_DIVERGED_SHARE;
	if (passed_ns > most_ns)
		passed_ns = most_ns;
	return least_ns + passed_ns / DRIFT_SHARE + passed_ns / 1000 * (int64_t)rate->error_ppb / (PPB / 1000);
}

/* Returns by how many ns the counter gained on the clock from a to b (negative: lost); 0 within what is allowed. */
static COLD int64_t gained_ns(const struct hpt_compared *rate, const struct hpt_bracket *a, const struct hpt_bracket *b,
			 int64_t least_ns)
{
	int64_t least = hpt_scale_round((int64_t)(b->before - a->after), rate->ns_per_tick);
	int64_t most = hpt_scale_round((int64_t)(b->after - a->before), rate->ns_per_tick);
	int64_t passed = b->ref_ns - a->ref_ns, allowed = allowed_ns(rate, passed, least_ns);

	if (hpt_sum(most, allowed) < passed)
		return hpt_sum(most, -passed);
	return least > hpt_sum(passed, allowed) ? hpt_sum(least, -passed) : 0;
}

/* The record's latest interval, as a bracket without a width. */
static struct hpt_bracket latest_of(const struct hpt_record *rec)
{
	return (struct hpt_bracket){ rec->last.tick, rec->last.tick, (int64_t)hpt_interval_middle(&rec->last).ns };
}

static struct reading read_clocks(struct hpt_sleep *sl, const struct hpt_record *rec)
{
	const struct hpt_clock *clk = sl->s->clk;
	struct reading r = { .b.before = clk->src.read(&clk->src) };

	r.mono_ns = hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC);
	r.b.ref_ns = hpt_record_is_exact(rec) ? r.mono_ns : hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC_RAW);
	if (sl->asked.kind == HPT_DEADLINE_UNIX_NS)
		r.unix_ns = clk->src.clock_ns(CLOCK_REALTIME);
	r.is_blind = unlikely(!r.mono_ns || !r.b.ref_ns) && hpt_sample_is_blind(&clk->src);
	r.b.after = sl->spin.now = clk->src.read(&clk->src);
	return r;
}

/*
 * False after a preemption between the reads, and where the counter stepped between them. Where all reads are slow, a
 * reading is narrow if it is not twice as wide as another one. *least_ns: the narrowest so far; -1: there was none.
 */
static bool is_narrow(const struct hpt_record *rec, const struct reading *r, int64_t *least_ns)
{
	int64_t width_ns = between_ns(rec, r->b.before, r->b.after), before_ns = *least_ns;

	if (width_ns < 0)
		return false;
	if (before_ns < 0 || width_ns < before_ns)
		*least_ns = width_ns;
	return width_ns <= HPT_SPIN_GAP_NS || (before_ns >= 0 && width_ns / 2 <= before_ns);
}

/* CLOCK_REALTIME less hpt_now_unix_ns(): the record does not know of a step of the wall clock. */
static int64_t wall_ahead_ns(const struct hpt_sleep *sl, const struct hpt_record *rec, const struct reading *r)
{
	int64_t least, most;

	if (sl->asked.kind != HPT_DEADLINE_UNIX_NS)
		return 0;
	least = r->unix_ns - line_ns(sl, rec, r->b.after, r->unix_ns);
	most = r->unix_ns - line_ns(sl, rec, r->b.before, r->unix_ns);
	return least > 0 ? least : most < 0 ? most : 0;
}

/* True if the record serves the reading's last tick and predicts the reference clock there. */
static bool is_predicted(const struct hpt_record *rec, const struct reading *r)
{
	struct hpt_bracket latest = latest_of(rec);
	struct hpt_compared rate = rate_of(rec);

	return hpt_record_serves(rec, r->b.after) &&
	       (hpt_record_is_exact(rec) || !gained_ns(&rate, &latest, &r->b, SUSPECT_NS));
}

/*
 * Reads the clocks. If the record does not predict them, makes the next record and reads again: then both are from
 * after any step so far. A slew of the wall clock may remain; the next record only begins to make up for it.
 */
static COLD struct reading take_reading(struct hpt_sleep *sl, struct hpt_record *rec)
{
	bool is_sampled = false;
	int64_t least_ns = -1;
	struct reading r;

	hpt_timekeeper_current(sl->s->clk, rec);
	for (int tries = 1;; tries++) {
		bool narrow;

		r = read_clocks(sl, rec);
		if (r.is_blind)
			return r;
		narrow = is_narrow(rec, &r, &least_ns);
		if (tries == READ_TRIES || (narrow && is_predicted(rec, &r) &&
					    (is_sampled || llabs(wall_ahead_ns(sl, rec, &r)) <= HPT_DIVERGED_NS)))
			return r;
		if (!narrow)
			continue;
		hpt_timekeeper_resample(sl->s->clk);
		hpt_timekeeper_current(sl->s->clk, rec);
		is_sampled = true;
	}
}

/* ---- The first check ------------------------------------------------------------------------------------------ */

/* The first reading and the record by then, compared with the record that was current before the first tick. */
struct first {
	const struct hpt_record *rec;
	const struct reading *r;
	bool    is_known;   /* that old record still exists; otherwise it is a later one */
	int64_t gained_ns;  /* by the counter since the old record */
	int64_t stepped_ns; /* the same, less what the clock itself has moved */
};

/*
 * How much of a duration has passed. If the counter stepped before the first tick it is right about the time since; if
 * after that, the clock is: the shorter of both is never too long. If the old record is not known, only a time shorter
 * than the gap is believed.
 */
static int64_t passed_ns(const struct hpt_sleep *sl, const struct first *f)
{
	int64_t by_counter = between_ns(f->rec, sl->asked.start, f->r->b.before);
	int64_t by_clock = hpt_sum(by_counter, -f->stepped_ns);
	int64_t passed = by_counter < by_clock ? by_counter : by_clock;

	return passed < 0 || (!f->is_known && passed > HPT_SPIN_GAP_NS) ? 0 : passed;
}

/* Makes the end of a duration a time on the timeline: the start on it plus the duration, plus 1 for rounding. */
static void end_duration(struct hpt_sleep *sl, const struct first *f)
{
	uint64_t tick = f->r->b.after;
	int64_t passed = f->is_known && !f->gained_ns ?
			 hpt_scale_round((int64_t)(tick - sl->asked.start), f->rec->read.ns.slope) : passed_ns(sl, f);

	sl->asked.at = hpt_sum(sl->asked.at, line_ns(sl, f->rec, tick, f->r->b.ref_ns) - passed + 1);
	sl->asked.kind = HPT_DEADLINE_NS;
}

/*
 * For a sleep until a tick, or for ticks: the tick of the stepped counter at which the clock says that it ends. It is
 * no later than if the whole length began now, since the counter may have stepped twice.
 */
static uint64_t clocks_tick(const struct hpt_sleep *sl, const struct first *f)
{
	uint64_t most = f->r->b.before + (sl->spin.deadline - sl->asked.start), tick;
	int64_t passed = hpt_sum(f->r->b.ref_ns, -sl->watch.latest.ref_ns);

	if (!f->is_known || sl->asked.kind != HPT_DEADLINE_TICK)
		return most - (uint64_t)hpt_scale_round(passed_ns(sl, f), f->rec->tick_per_ns);
	/* In ticks: the nanoseconds of a step may not fit in 64 bits. */
	tick = sl->spin.deadline + f->r->b.after - sl->watch.latest.after -
	       (uint64_t)hpt_scale_round(passed, f->rec->tick_per_ns);
	return (int64_t)(most - tick) < 0 ? most : tick;
}

/* Of a sum that may have saturated. */
static int64_t size_of(int64_t ns)
{
	return ns == INT64_MIN ? INT64_MAX : llabs(ns);
}

/*
 * If the counter disagrees with CLOCK_MONOTONIC but agrees with CLOCK_REALTIME, it did not step: the process was forked
 * into a time namespace.
 */
static int64_t stepped_ns(int64_t gained, int64_t wall_moved_ns)
{
	return size_of(hpt_sum(gained, -wall_moved_ns)) < size_of(gained) / 2 ? 0 : gained;
}

/*
 * Computes when the sleep ends by the clock, if that and the counter disagree since before the first reading. Returns
 * the deadline that end.ns is to be computed from.
 */
static uint64_t settle(struct hpt_sleep *sl, const struct first *f)
{
	switch (sl->asked.kind) {
	case HPT_DEADLINE_AFTER_NS:
		end_duration(sl, f);
		break;
	case HPT_DEADLINE_NS:
		if (f->gained_ns != f->stepped_ns) /* the timeline moved; the reading's width makes up for its error */
			sl->asked.at = hpt_sum(sl->asked.at, between_ns(f->rec, f->r->b.before, f->r->b.after) - f->gained_ns);
		break;
	case HPT_DEADLINE_UNIX_NS:
		break;
	default:
		return f->is_known && !f->stepped_ns ? sl->spin.deadline : clocks_tick(sl, f);
	}
	return sl->spin.deadline;
}

/* Compares with the record that was current before the first tick. Returns as hpt_deadline_check(). */
static int64_t check_first(struct hpt_sleep *sl, struct hpt_record *rec, struct reading *r, uint64_t *ret_end)
{
	struct first f = { .rec = rec, .r = r, .is_known = hpt_timekeeper_old(sl->s->clk, sl->watch.seen, rec) };
	int64_t wall_offset_ns, lost_ns;
	bool is_large;

	if (!f.is_known)
		hpt_timekeeper_current(sl->s->clk, rec);
	wall_offset_ns = rec->offset_lo_ns;
	/* If there was a record that is not known any more, any event may have come since. */
	sl->watch.generation = f.is_known || !sl->watch.seen ? rec->generation : 0;
	sl->watch.latest = latest_of(rec);
	sl->watch.rate = rate_of(rec);
	*r = take_reading(sl, rec);
	if (r->is_blind)
		return BLIND;
	sl->watch.first = r->b;
	is_large = !hpt_record_is_exact(rec) && gained_ns(&sl->watch.rate, &sl->watch.latest, &r->b, HPT_DIVERGED_NS);
	if (is_large || rec->generation != sl->watch.generation) {
		f.gained_ns = gained_ns(&sl->watch.rate, &sl->watch.latest, &r->b, SUSPECT_NS);
		f.stepped_ns = stepped_ns(f.gained_ns, rec->offset_lo_ns - wall_offset_ns);
	}
	*ret_end = settle(sl, &f);
	lost_ns = between_ns(rec, sl->spin.deadline, *ret_end);
	if (is_large && f.stepped_ns)
		return f.stepped_ns;
	return lost_ns < -HPT_DIVERGED_NS ? lost_ns : 0;
}

/* A counter that stands still may lose less than is allowed in each of many short times: compares twice. */
static int64_t check_again(struct hpt_sleep *sl, struct hpt_record *rec, struct reading *r)
{
	int64_t gained;

	*r = take_reading(sl, rec);
	if (r->is_blind)
		return BLIND;
	gained = gained_ns(&sl->watch.rate, &sl->watch.latest, &r->b, HPT_DIVERGED_NS);
	if (!gained)
		gained = gained_ns(&sl->watch.rate, &sl->watch.first, &r->b, HPT_DIVERGED_NS);
	if (gained)
		sl->watch.first = r->b;
	return gained;
}

static void set_end(struct hpt_sleep *sl, const struct hpt_record *rec, const struct reading *r, uint64_t tick)
{
	struct hpt_scale mono_per_tick = hpt_record_is_exact(rec) ? rec->ns_per_tick : rec->unix_per_tick;

	sl->end.ns = hpt_sum(r->mono_ns, hpt_scale_round((int64_t)(tick - r->b.after), mono_per_tick));
}

static bool is_on_timeline(const struct hpt_sleep *sl)
{
	return sl->asked.kind == HPT_DEADLINE_NS || sl->asked.kind == HPT_DEADLINE_UNIX_NS;
}

/* A sleep until a time on a timeline is also disturbed by a step too small for one that follows the counter. */
static void set_state(struct hpt_sleep *sl, const struct hpt_record *rec, int64_t gained)
{
	bool is_new = rec->generation != sl->watch.generation;

	if (gained)
		sl->state = is_new && rec->state == HPT_STATE_REANCHORED ? HPT_STATE_REANCHORED : HPT_STATE_DISRUPTED;
	else if (is_new && rec->state == HPT_STATE_DISRUPTED && is_on_timeline(sl))
		sl->state = HPT_STATE_DISRUPTED;
}

/*
 * Nothing shows whether the counter is right: it goes on by the record's line. A deadline of the OS clock is the
 * kernel's own time, if that clock could be read before.
 */
static COLD void go_blind(struct hpt_sleep *sl, const struct hpt_record *rec, uint64_t tick)
{
	const struct hpt_line *line = sl->asked.kind == HPT_DEADLINE_UNIX_NS ? &rec->read.unix_ns : &rec->read.ns;

	if (is_on_timeline(sl))
		set_deadline(sl, rec, tick, (int64_t)hpt_line_at(line, rec->read.start, tick).ns);
	if (!sl->watch.is_checked && hpt_record_is_exact(rec)) {
		/* If it could never be read all times count from 0. */
		sl->end.is_known = rec->read.start && (sl->asked.kind == HPT_DEADLINE_NS || sl->asked.kind == HPT_DEADLINE_TICK);
		sl->end.ns = sl->asked.at;
	} else if (!sl->end.is_blind) {
		sl->end.is_known = sl->watch.is_checked;
	}
	sl->end.is_blind = sl->watch.is_checked = true;
	sl->state = HPT_STATE_DISRUPTED;
}

COLD int64_t hpt_deadline_check(struct hpt_sleep *sl)
{
	bool is_first = !sl->watch.is_checked;
	uint64_t end = sl->spin.deadline;
	struct hpt_record rec;
	struct reading r;
	int64_t gained;
	int saved = errno;

	gained = is_first ? check_first(sl, &rec, &r, &end) : check_again(sl, &rec, &r);
	if (unlikely(r.is_blind)) {
		go_blind(sl, &rec, r.b.after);
		errno = saved;
		return gained;
	}
	set_state(sl, &rec, gained);
	if (is_on_timeline(sl)) {
		set_deadline(sl, &rec, r.b.after, sl->asked.kind == HPT_DEADLINE_NS ? r.b.ref_ns : r.unix_ns);
		end = sl->spin.deadline;
	}
	if (is_first || gained >= 0)
		set_end(sl, &rec, &r, end);
	sl->end.unix_ahead_ns = wall_ahead_ns(sl, &rec, &r);
	sl->watch.latest = r.b;
	if (!hpt_record_is_exact(&rec) && rec.error_ppb < sl->watch.rate.error_ppb)
		sl->watch.rate = rate_of(&rec);
	sl->watch.generation = rec.generation;
	sl->end.is_learning = hpt_record_is_learning(&rec);
	sl->watch.is_checked = true;
	errno = saved;
	return gained;
}

/* ---- The start ------------------------------------------------------------------------------------------------ */

/* Makes the first record, which takes up to a millisecond. The duration then starts again, shorter by that time. */
static COLD __attribute__((noinline)) void make_record(struct hpt_sleep *sl)
{
	struct hpt_clock *clk = sl->s->clk;
	int64_t from_ns = hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC), took_ns;
	struct hpt_record rec;

	sl->watch.seen = hpt_timekeeper_current(clk, &rec);
	took_ns = hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC) - from_ns;
	sl->asked.at = sl->asked.at > took_ns ? sl->asked.at - took_ns : 0;
	sl->asked.start = sl->spin.now = hpt_source_now(&clk->src);
}

static void start_duration(struct hpt_sleep *sl, uint64_t unit_ns)
{
	int64_t ns = INT64_MAX;

	sl->spin.deadline = sl->asked.start;
	if (sl->asked.at <= 0)
		return;
	hpt_wide_narrow(hpt_wide_product(sl->asked.at, unit_ns), &ns);
	sl->asked.at = ns;
	if (unlikely(!sl->watch.seen))
		make_record(sl);
	/* hpt_ns_to_ticks() rounds to nearest: one tick more is never early. */
	sl->spin.deadline = later(sl->asked.start,
		hpt_wide_add(hpt_wide_of(hpt_ns_to_ticks(sl->s->clk, sl->asked.at)), hpt_wide_of(1)));
}

void hpt_deadline_start(struct hpt_sleep *sl, int64_t at, uint64_t unit_ns)
{
	sl->asked.at = at;
	sl->asked.start = hpt_deadline_from(sl->s->first, sl->spin.now);
	switch (sl->asked.kind) {
	case HPT_DEADLINE_AFTER_TICKS:
		sl->spin.deadline = later(sl->asked.start, hpt_wide_of(at > 0 ? at : 0));
		break;
	case HPT_DEADLINE_TICK:
		sl->spin.deadline = (uint64_t)at;
		break;
	case HPT_DEADLINE_AFTER_NS:
		start_duration(sl, unit_ns);
		break;
	default:
		hpt_deadline_check(sl);
		if (!sl->end.is_blind)
			sl->state = HPT_STATE_OK; /* events before the sleep do not count */
	}
}
