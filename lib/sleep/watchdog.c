// SPDX-License-Identifier: MIT
/* The comparison of counter and clock: lib/sleep/watchdog.h. */
#include "sleep/watchdog.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "math/units.h"
#include "clock/timekeeper.h"
#include "sleep/deadline.h"

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

/* The OS clock may be replaced by one that runs at any rate. */
static struct hpt_compared rate_of(const struct hpt_record *rec)
{
	return (struct hpt_compared){ rec->convert.ns_per_tick,
				      hpt_record_is_exact(rec) ? UINT64_MAX : rec->rate.error_ppb };
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
	return (struct hpt_bracket){ rec->rate.last.tick, rec->rate.last.tick,
				     (int64_t)hpt_interval_middle(&rec->rate.last).ns };
}

static void read_clocks(const struct hpt_clock *clk, clockid_t id, const struct hpt_record *rec,
			struct hpt_reading *r)
{
	r->b.before = clk->src.read(&clk->src);
	r->mono_ns = hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC);
	r->b.ref_ns = hpt_record_is_exact(rec) ? r->mono_ns : hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC_RAW);
	r->os_ns = id == CLOCK_MONOTONIC_RAW ? 0 : clk->src.clock_ns(id);
	r->is_blind = unlikely(!r->mono_ns || !r->b.ref_ns) && hpt_sample_is_blind(&clk->src);
	r->b.after = clk->src.read(&clk->src);
}

/*
 * False after a preemption between the reads, and where the counter stepped between them. Where all reads are slow, a
 * reading is narrow if it is not twice as wide as another one. *least_ns: the narrowest so far; -1: there was none.
 */
static bool is_narrow(const struct hpt_record *rec, const struct hpt_reading *r, int64_t *least_ns)
{
	int64_t width_ns = hpt_deadline_between_ns(rec, r->b.before, r->b.after), before_ns = *least_ns;

	if (width_ns < 0)
		return false;
	if (before_ns < 0 || width_ns < before_ns)
		*least_ns = width_ns;
	return width_ns <= HPT_SPIN_GAP_NS || (before_ns >= 0 && width_ns / 2 <= before_ns);
}

/* The kernel's clock less the record's line of it: the record does not know of a step of CLOCK_REALTIME. */
static int64_t os_ahead_ns(clockid_t id, const struct hpt_record *rec, const struct hpt_reading *r)
{
	int64_t least, most;

	if (id == CLOCK_MONOTONIC_RAW)
		return 0;
	least = r->os_ns - hpt_deadline_line_ns(id, rec, r->b.after, r->os_ns);
	most = r->os_ns - hpt_deadline_line_ns(id, rec, r->b.before, r->os_ns);
	return least > 0 ? least : most < 0 ? most : 0;
}

/* True if the record serves the reading's last tick and predicts the reference clock there. */
static bool is_predicted(const struct hpt_record *rec, const struct hpt_reading *r)
{
	struct hpt_bracket latest = latest_of(rec);
	struct hpt_compared rate = rate_of(rec);

	return hpt_record_serves(rec, r->b.after) &&
	       (hpt_record_is_exact(rec) || !gained_ns(&rate, &latest, &r->b, SUSPECT_NS));
}

/*
 * Reads the clocks. If the record does not predict them, makes the next record and reads again: then both are from
 * after any step so far. A slew of CLOCK_REALTIME may remain; the next record only begins to make up for it.
 */
static COLD void take_reading(struct hpt_clock *clk, clockid_t id, struct hpt_record *rec, struct hpt_reading *r)
{
	bool is_sampled = false;
	int64_t least_ns = -1;

	hpt_timekeeper_current(clk, rec);
	for (int tries = 1;; tries++) {
		bool narrow;

		read_clocks(clk, id, rec, r);
		if (r->is_blind)
			return;
		narrow = is_narrow(rec, r, &least_ns);
		if (tries == READ_TRIES || (narrow && is_predicted(rec, r) &&
					    (is_sampled || llabs(os_ahead_ns(id, rec, r)) <= HPT_DIVERGED_NS)))
			return;
		if (!narrow)
			continue;
		hpt_timekeeper_resample(clk);
		hpt_timekeeper_current(clk, rec);
		is_sampled = true;
	}
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
static int64_t stepped_ns(int64_t gained, int64_t unix_moved_ns)
{
	return size_of(hpt_sum(gained, -unix_moved_ns)) < size_of(gained) / 2 ? 0 : gained;
}

/* Compares with the record that was current before the first tick. */
static void compare_first(struct hpt_watch *w, struct hpt_clock *clk, clockid_t id, struct hpt_record *rec,
			  struct hpt_found *f)
{
	int64_t unix_offset_ns;
	bool is_large;

	f->is_known = hpt_timekeeper_old(clk, w->seen, rec);
	if (!f->is_known)
		hpt_timekeeper_current(clk, rec);
	unix_offset_ns = rec->offset_lo_ns;
	/* If there was a record that is not known any more, any event may have come since. */
	w->generation = f->is_known || !w->seen ? rec->generation : 0;
	w->latest = f->old = latest_of(rec);
	w->rate = rate_of(rec);
	take_reading(clk, id, rec, &f->r);
	if (f->r.is_blind)
		return;
	w->first = f->r.b;
	is_large = !hpt_record_is_exact(rec) && gained_ns(&w->rate, &w->latest, &f->r.b, HPT_DIVERGED_NS);
	if (is_large || rec->generation != w->generation) {
		f->moved_ns = gained_ns(&w->rate, &w->latest, &f->r.b, SUSPECT_NS);
		f->stepped_ns = stepped_ns(f->moved_ns, rec->offset_lo_ns - unix_offset_ns);
	}
	if (is_large)
		f->gained_ns = f->stepped_ns;
}

/* A counter that stands still may lose less than is allowed in each of many short times: compares twice. */
static void compare_again(struct hpt_watch *w, struct hpt_clock *clk, clockid_t id, struct hpt_record *rec,
			  struct hpt_found *f)
{
	take_reading(clk, id, rec, &f->r);
	if (f->r.is_blind)
		return;
	f->gained_ns = gained_ns(&w->rate, &w->latest, &f->r.b, HPT_DIVERGED_NS);
	if (!f->gained_ns)
		f->gained_ns = gained_ns(&w->rate, &w->first, &f->r.b, HPT_DIVERGED_NS);
	if (f->gained_ns)
		w->first = f->r.b;
}

static void remember(struct hpt_watch *w, const struct hpt_record *rec, const struct hpt_reading *r)
{
	w->latest = r->b;
	if (!hpt_record_is_exact(rec) && rec->rate.error_ppb < w->rate.error_ppb)
		w->rate = rate_of(rec);
	w->generation = rec->generation;
}

COLD struct hpt_found hpt_watchdog_check(struct hpt_watch *w, struct hpt_clock *clk, clockid_t id,
					 struct hpt_record *rec)
{
	struct hpt_found f = { .gained_ns = 0 };

	if (w->is_checked)
		compare_again(w, clk, id, rec, &f);
	else
		compare_first(w, clk, id, rec, &f);
	w->is_checked = true;
	if (unlikely(f.r.is_blind)) {
		f.gained_ns = BLIND;
		return f;
	}
	f.is_new = rec->generation != w->generation;
	f.os_ahead_ns = os_ahead_ns(id, rec, &f.r);
	remember(w, rec, &f.r);
	return f;
}
