// SPDX-License-Identifier: MIT
/* Keeps a wall's record: looks, adds samples, publishes. See lib/wall/wall_keeper.h. */
#include <errno.h>

#include "arch/arch.h"
#include "machine/process.h"
#include "wall/wall_keeper.h"
#include "wall/vmclock.h"
#include "wall/wall_counter.h"
#include "wall/wall_rules.h"

/* A record is lost to another thread's at most this often, before a caller gives up. */
#define KEEPER_TRIES 8

/* Another thread has published first. Differs from every result. */
#define LOST 1

/* As hpt_seqlatch_read(), which fails only if writers overtake it 64 times. */
static uint32_t read_record(const struct hpt_wall *w, struct hpt_wall_record *ret)
{
	return hpt_seqlatch_read(&w->latch, (const hpt_word *)w->records, HPT_WALL_RECORD_WORDS, (hpt_word *)ret);
}

/* Each time that it is gained it can be lost once. */
static void count_change(struct hpt_wall_record *rec)
{
	bool had_bound = rec->counts.gained != rec->counts.lost, has_bound = hpt_wall_record_serves(rec);

	rec->counts.gained += has_bound && !had_bound;
	rec->counts.lost += had_bound && !has_bound;
}

static int publish_next(struct hpt_wall *w, struct hpt_wall_record *rec, uint32_t seen)
{
	count_change(rec);
	return hpt_seqlatch_write(&w->latch, (hpt_word *)w->records, HPT_WALL_RECORD_WORDS, (const hpt_word *)rec,
				  seen, hpt_process_known());
}

/* A clock that has lost its rate saw an event: then nothing can be looked at, but earlier samples are void. */
static void lose(struct hpt_wall *w, struct hpt_wall_record *rec, uint32_t seen)
{
	if (!rec->has_bound)
		return;
	hpt_wall_record_disrupt(rec, hpt_wall_counter(w));
	(void)publish_next(w, rec, seen);
}

/* Where the record has got another first tick. The clock is read after the counter was. */
static void follow_first(const struct hpt_wall *w, struct hpt_wall_record *rec, uint64_t known)
{
	if (rec->first != known)
		rec->first_clock_tick = w->counts_raw ? w->clk->src.read(&w->clk->src) : rec->first;
}

/* The record after a look at the clocks, and the rules as they are. Returns its sequence; 0: no look is possible. */
static uint32_t look_at_system(struct hpt_wall *w, struct hpt_wall_record *rec, struct hpt_wall_rules *ret_rules,
			       uint64_t *ret_now)
{
	uint32_t seen = read_record(w, rec);
	struct hpt_wall_look clocks;
	uint64_t first;

	if (!seen)
		return 0;
	if (!hpt_wall_rules_make(w, ret_rules)) {
		lose(w, rec, seen);
		return 0;
	}
	if (!hpt_wall_look_take(w, &clocks))
		return 0;
	first = rec->first;
	hpt_wall_record_look(rec, ret_rules, &clocks);
	follow_first(w, rec, first);
	*ret_now = clocks.after;
	return seen;
}

/* ---- Reads --------------------------------------------------------------------------------------------------- */

/* The page is looked at after the counter was read. */
static bool is_undisturbed(const struct hpt_wall *w, const struct hpt_wall_record *rec)
{
	const volatile void *page = atomic_load_explicit(&w->vmclock, memory_order_acquire);

	if (!page)
		return true;
	arch_fence_loads();
	return hpt_vmclock_is_same(page, rec->read.marker, rec->read.marker_seq);
}

static bool serves(const struct hpt_wall *w, const struct hpt_wall_record *rec, uint64_t *ret_tick)
{
	*ret_tick = hpt_wall_counter(w);
	return *ret_tick - rec->read.bound.tick < rec->read.span && is_undisturbed(w, rec);
}

static int present_record(struct hpt_wall *w, struct hpt_wall_record *rec, uint64_t *ret_tick)
{
	struct hpt_wall_rules rules;

	for (int tries = 0; tries < KEEPER_TRIES; tries++) {
		uint32_t seen = read_record(w, rec);

		if (!seen)
			continue;
		if (serves(w, rec, ret_tick))
			return 0;
		if (!rec->has_bound)
			return -EAGAIN;
		seen = look_at_system(w, rec, &rules, ret_tick);
		if (!seen)
			return -EAGAIN;
		/* If another thread publishes first, the next try finds that record. */
		if (!publish_next(w, rec, seen) && !hpt_wall_record_serves(rec))
			return -EAGAIN;
		if (hpt_wall_record_serves(rec) && serves(w, rec, ret_tick))
			return 0;
	}
	return -EAGAIN;
}

COLD int hpt_wall_present(struct hpt_wall *w, struct hpt_wall_record *ret, uint64_t *ret_tick)
{
	int saved = errno, r = present_record(w, ret, ret_tick);

	/* VMClock's page is being updated. */
	if (r && hpt_wall_record_serves(ret))
		ret->read.status = (ret->read.status >> 32 << 32) | HPT_WALL_STATE_DISRUPTED;
	errno = saved;
	return r;
}

/* unsynced: of a source that has just said it has no bound; NULL: none. False: no look is possible, or others keep
 * publishing first. */
static bool publish_look(struct hpt_wall *w, const struct hpt_wall_reading *unsynced)
{
	struct hpt_wall_record rec;
	struct hpt_wall_rules rules;
	bool is_known = false;
	int saved = errno;
	uint64_t now;

	for (int tries = 0; !is_known && tries < KEEPER_TRIES; tries++) {
		uint32_t seen = look_at_system(w, &rec, &rules, &now);

		if (!seen)
			break;
		if (unsynced)
			hpt_wall_record_note_unsynced(&rec, &rules, unsynced);
		is_known = !publish_next(w, &rec, seen);
	}
	errno = saved;
	return is_known;
}

COLD bool hpt_wall_look(struct hpt_wall *w)
{
	return publish_look(w, NULL);
}

/* ---- Samples ------------------------------------------------------------------------------------------------- */

COLD void hpt_wall_note_answer(struct hpt_wall *w, uint32_t source, uint32_t reason, int error)
{
	atomic_store_explicit(&w->answers[hpt_wall_source_place(source)], (uint64_t)(uint32_t)error << 32 | reason,
			      memory_order_relaxed);
}

/* The error of a program's call whose sample was refused. */
static int error_of(uint32_t reason)
{
	switch (reason) {
	case HPT_WALL_REASON_NONE:
		return 0;
	case HPT_WALL_REASON_CONTRADICTED:
	case HPT_WALL_REASON_LEAP:
		return -EAGAIN;
	default:
		return -ERANGE;
	}
}

/* before: the clock's tick at the start of the reading. Returns as hpt_wall_add(), or LOST. */
static int try_to_add(struct hpt_wall *w, const struct hpt_wall_reading *reading, hpt_time_t before)
{
	struct hpt_wall_record rec;
	struct hpt_wall_rules rules;
	uint64_t now;
	uint32_t seen = look_at_system(w, &rec, &rules, &now), reason;
	uint64_t first = rec.first;

	if (!seen)
		return -EAGAIN;
	reason = hpt_wall_record_add(&rec, &rules, reading, now);
	follow_first(w, &rec, first);
	if (rec.first == (uint64_t)reading->sample.before)
		rec.first_clock_tick = (uint64_t)before;
	switch (publish_next(w, &rec, seen)) {
	case 0:
		hpt_wall_note_answer(w, reading->sample.source, reason, 0);
		return error_of(reason);
	case -EBUSY:
		return -EBUSY;
	default:
		return LOST;
	}
}

/* The sample's ticks become the counter's. */
static struct hpt_wall_reading counted(const struct hpt_wall *w, const struct hpt_wall_reading *reading)
{
	struct hpt_wall_reading ret = *reading;
	uint64_t from, to;

	hpt_wall_counter_at(w, (uint64_t)reading->sample.before, &from, &to);
	ret.sample.before = (hpt_time_t)from;
	hpt_wall_counter_at(w, (uint64_t)reading->sample.after, &from, &to);
	ret.sample.after = (hpt_time_t)to;
	return ret;
}

COLD int hpt_wall_add(struct hpt_wall *w, const struct hpt_wall_reading *reading)
{
	struct hpt_wall_reading by_counter;
	int saved = errno, r = LOST;

	if ((int64_t)(w->clk->src.read(&w->clk->src) - (uint64_t)reading->sample.after) < 0)
		return -EINVAL;
	by_counter = counted(w, reading);
	for (int tries = 0; r == LOST && tries < KEEPER_TRIES; tries++)
		r = try_to_add(w, &by_counter, reading->sample.before);
	errno = saved;
	return r == LOST ? -EBUSY : r;
}

COLD struct hpt_measured_events hpt_wall_events(const struct hpt_wall *w)
{
	struct hpt_wall_record rec;

	for (int tries = 0; tries < KEEPER_TRIES; tries++)
		if (read_record(w, &rec))
			return rec.settle.events;
	return (struct hpt_measured_events){ 0 };
}

COLD void hpt_wall_note_unsynced(struct hpt_wall *w, const struct hpt_wall_reading *reading)
{
	struct hpt_wall_reading by_counter = counted(w, reading);

	(void)publish_look(w, &by_counter);
}

int64_t hpt_wall_stale_tick(const struct hpt_wall *w, const struct hpt_wall_record *rec)
{
	int64_t max_age_ns = w->config.max_age_ns ? w->config.max_age_ns : HPT_WALL_MAX_AGE_NS;

	return hpt_sum((int64_t)rec->sampled, hpt_sum(hpt_ns_to_ticks(w->clk, hpt_sum(max_age_ns, 1)), 1));
}
