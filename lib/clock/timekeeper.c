// SPDX-License-Identifier: MIT
/* Makes, renews and publishes records, on the caller's slow path: lib/clock/timekeeper.h. */
#include "clock/timekeeper.h"

#include <errno.h>

#include "arch/arch.h"
#include "machine/process.h"
#include "source/own_time.h"
#include "rate/next_record.h"
#include "rate/os_lines.h"
#include "clock/first.h"
#include "clock/source_status.h"

/*
 * After this many renewals a read uses the latest record. A renewal fails if another thread published first, or if the
 * new segment ended meanwhile.
 */
#define RENEW_TRIES 8

/* ---- Publication -------------------------------------------------------------------------------------- */

static uint32_t read_clock_record(struct hpt_clock *clk, struct hpt_record *ret)
{
	return hpt_seqlatch_read(&clk->latch, (const hpt_word *)clk->records, HPT_RECORD_WORDS, (hpt_word *)ret);
}

bool hpt_timekeeper_old(struct hpt_clock *clk, uint32_t seen, struct hpt_record *ret)
{
	return hpt_seqlatch_read_old(&clk->latch, (const hpt_word *)clk->records, HPT_RECORD_WORDS, seen,
				     (hpt_word *)ret);
}

COLD int hpt_timekeeper_publish(struct hpt_clock *clk, const struct hpt_record *rec, uint32_t seen)
{
	return hpt_seqlatch_write(&clk->latch, (hpt_word *)clk->records, HPT_RECORD_WORDS, (const hpt_word *)rec, seen,
				  hpt_process_known());
}

/* Copies the current record. Returns its sequence; 0: none could be published, and *ret is a private one. */
static uint32_t current(struct hpt_clock *clk, struct hpt_record *ret)
{
	uint32_t seen = read_clock_record(clk, ret);
	struct hpt_record mine;

	if (likely(seen))
		return seen;
	hpt_first_record(clk, &mine);
	if (!hpt_timekeeper_publish(clk, &mine, 0))
		hpt_source_status_set_frequency(clk->at_load, clk->src.ops->id, mine.rate.frequency_uhz);
	/* Concurrent callers each make one. The first publishes its own, and all use that. */
	seen = read_clock_record(clk, ret);
	if (!seen)
		*ret = mine;
	return seen;
}

/*
 * Makes and publishes the next record, unless another thread has published one since. The caller then reads again; but
 * not after -EBUSY.
 */
static COLD int renew_record(struct hpt_clock *clk, struct hpt_record *rec, uint32_t seen)
{
	struct hpt_record next;
	struct hpt_samples samples;

	if (clk->src.own_time || hpt_sample_is_blind(&clk->src))
		return -EBUSY;
	hpt_first_settle(clk, rec);
	hpt_samples_take(&clk->src, &samples);
	hpt_record_next(rec, &samples, &next);
	return hpt_timekeeper_publish(clk, &next, seen);
}

uint32_t hpt_timekeeper_current(struct hpt_clock *clk, struct hpt_record *ret)
{
	int saved = errno;
	uint32_t seen = current(clk, ret);

	errno = saved;
	return seen;
}

uint64_t hpt_timekeeper_now(struct hpt_clock *clk, struct hpt_record *ret)
{
	int saved = errno;
	uint64_t tick;

	for (int tries = 0;; tries++) {
		uint32_t seen = current(clk, ret);

		tick = clk->src.read(&clk->src); /* read after the record, so not before its segment */
		if (likely(hpt_record_serves(ret, tick)) || tries == RENEW_TRIES ||
		    renew_record(clk, ret, seen) == -EBUSY)
			break;
	}
	errno = saved;
	return tick;
}

bool hpt_timekeeper_is_provisional(const struct hpt_clock *clk)
{
	const struct hpt_record *rec = &clk->records[hpt_seqlatch_slot(hpt_seqlatch_begin(&clk->latch))];

	return hpt_word_load((const hpt_word *)&rec->flags) & HPT_RECORD_PROVISIONAL;
}

COLD uint64_t hpt_timekeeper_settled(struct hpt_clock *clk, struct hpt_record *ret)
{
	uint64_t tick = hpt_timekeeper_now(clk, ret);

	for (int tries = 0; hpt_record_is_provisional(ret) && tries < RENEW_TRIES; tries++) {
		hpt_timekeeper_resample(clk);
		tick = hpt_timekeeper_now(clk, ret);
	}
	return tick;
}

COLD void hpt_timekeeper_resample(struct hpt_clock *clk)
{
	struct hpt_record rec;
	int saved = errno;
	uint32_t seen = current(clk, &rec);

	renew_record(clk, &rec, seen);
	errno = saved;
}

COLD int64_t hpt_timekeeper_os_ns(struct hpt_clock *clk, clockid_t id, const struct hpt_record *rec, uint64_t tick)
{
	int64_t ns = hpt_sample_os_ns(&clk->src, id);

	return ns || !hpt_sample_is_blind(&clk->src) ? ns : hpt_os_lines_ns(rec, id, tick);
}

/*
 * The OS clock's tick is its time in ns. Another clock's time is on its record's line, where there is one. Otherwise
 * asks the OS, and reads the tick after it.
 */
COLD void hpt_timekeeper_instant(struct hpt_clock *clk, clockid_t id, struct hpt_instant *ret)
{
	bool is_exact = clk->src.rate.origin == HPT_ORIGIN_EXACT, is_unix = id == CLOCK_REALTIME;
	struct hpt_record rec;
	int saved = errno;

	ret->tick = hpt_timekeeper_now(clk, &rec);
	ret->slope = is_unix ? rec.read.unix_ns.slope : rec.read.ns.slope;
	if (clk->src.own_time) {
		ret->ns = (int64_t)clk->src.own_time->ns(&clk->src, (int64_t)ret->tick).lo;
	} else if (is_exact && !is_unix) {
		ret->ns = (int64_t)ret->tick;
	} else if (rec.read.line_span && !is_exact) {
		ret->ns = (int64_t)hpt_line_at(is_unix ? &rec.read.unix_ns : &rec.read.ns,
					       rec.read.start, ret->tick).ns;
	} else {
		ret->ns = hpt_timekeeper_os_ns(clk, id, &rec, ret->tick);
		ret->tick = clk->src.read(&clk->src);
	}
	ret->mono_per_tick = is_exact ? rec.convert.ns_per_tick : rec.convert.unix_per_tick;
	ret->tick_per_ns = rec.convert.tick_per_ns;
	ret->generation = rec.generation;
	ret->state = rec.state;
	errno = saved;
}

void hpt_timekeeper_for(struct hpt_clock *clk, hpt_time_t t, struct hpt_record *ret)
{
	(void)hpt_timekeeper_current(clk, ret);
	if (!hpt_record_serves(ret, (uint64_t)t))
		hpt_timekeeper_now(clk, ret);
	if (unlikely(hpt_record_is_far(ret, t)))
		hpt_timekeeper_settled(clk, ret);
}
