// SPDX-License-Identifier: MIT
/* Applies what the watchdog finds to a sleep: lib/sleep/sleep_check.h. */
#include "sleep/sleep_check.h"

#include <errno.h>

#include "arch/arch.h"
#include "rate/os_lines.h"
#include "sleep/deadline.h"
#include "sleep/settle.h"
#include "sleep/watchdog.h"

/* What the clock says of a deadline in ticks, where the counter lost time and the sleep ends by the clock; else 0. */
static int64_t lost_ns(const struct hpt_record *rec, uint64_t deadline, uint64_t end)
{
	int64_t lost = hpt_deadline_between_ns(rec, deadline, end);

	return lost < -HPT_DIVERGED_NS ? lost : 0;
}

/* A sleep until a time on a timeline is also disturbed by a step too small for one that follows the counter. */
static void set_sleep_state(struct hpt_sleep *sl, const struct hpt_record *rec, const struct hpt_found *f)
{
	bool is_reanchored = f->is_new && rec->state == HPT_STATE_REANCHORED;

	if (f->gained_ns)
		sl->state = is_reanchored ? HPT_STATE_REANCHORED : HPT_STATE_DISRUPTED;
	else if (f->is_new && rec->state == HPT_STATE_DISRUPTED && hpt_deadline_is_on_timeline(&sl->asked))
		sl->state = HPT_STATE_DISRUPTED;
}

static void set_end(struct hpt_sleep *sl, const struct hpt_record *rec, const struct hpt_reading *r, uint64_t tick)
{
	struct hpt_scale mono_per_tick = hpt_record_is_exact(rec) ?
					 rec->convert.ns_per_tick : rec->convert.unix_per_tick;

	sl->end.ns = hpt_sum(r->mono_ns, hpt_scale_round((int64_t)(tick - r->b.after), mono_per_tick));
}

static void apply(struct hpt_sleep *sl, const struct hpt_record *rec, struct hpt_found *f, bool is_first)
{
	clockid_t id = hpt_deadline_clock(sl->asked.kind);
	uint64_t end = sl->spin.deadline, tick = f->r.b.after;

	if (is_first) {
		end = hpt_settle(&sl->asked, sl->spin.deadline, f, rec);
		if (!f->gained_ns)
			f->gained_ns = lost_ns(rec, sl->spin.deadline, end);
	}
	set_sleep_state(sl, rec, f);
	if (hpt_deadline_is_on_timeline(&sl->asked)) {
		int64_t kernel_ns = hpt_deadline_is_by_os(sl->asked.kind) ? f->r.os_ns : f->r.b.ref_ns;
		int64_t ns = hpt_deadline_line_ns(id, rec, tick, kernel_ns);

		sl->spin.deadline = end = hpt_deadline_tick(id, rec, tick, ns, sl->asked.at);
	}
	if (is_first || f->gained_ns >= 0)
		set_end(sl, rec, &f->r, end);
	sl->end.os_ahead_ns = f->os_ahead_ns;
	sl->end.is_learning = hpt_record_is_learning(rec) || hpt_record_is_provisional(rec);
}

/*
 * Nothing shows whether the counter is right: it goes on by the record's line. A deadline of the OS clock is the
 * kernel's own time, if that clock could be read before.
 */
static COLD void go_blind(struct hpt_sleep *sl, const struct hpt_record *rec, bool is_first)
{
	clockid_t id = hpt_deadline_clock(sl->asked.kind);
	uint64_t tick = sl->spin.now;

	if (hpt_deadline_is_on_timeline(&sl->asked)) {
		int64_t ns = hpt_os_lines_ns(rec, id, tick);

		sl->spin.deadline = hpt_deadline_tick(id, rec, tick, hpt_deadline_line_ns(id, rec, tick, ns),
						      sl->asked.at);
	}
	if (is_first && hpt_record_is_exact(rec)) {
		/* If it could never be read all times count from 0. */
		sl->end.is_known = rec->read.start && (sl->asked.kind == HPT_DEADLINE_NS ||
						       sl->asked.kind == HPT_DEADLINE_MONOTONIC_NS ||
						       sl->asked.kind == HPT_DEADLINE_TICK);
		sl->end.ns = sl->asked.at;
	} else if (!sl->end.is_blind) {
		sl->end.is_known = !is_first;
	}
	sl->end.is_blind = true;
	sl->state = HPT_STATE_DISRUPTED;
}

COLD int64_t hpt_sleep_check(struct hpt_sleep *sl)
{
	bool is_first = !sl->watch.is_checked;
	int saved = errno;
	struct hpt_record rec;
	struct hpt_found f = hpt_watchdog_check(&sl->watch, sl->s->clk, hpt_deadline_clock(sl->asked.kind), &rec);

	sl->spin.now = f.r.b.after;
	if (unlikely(f.r.is_blind))
		go_blind(sl, &rec, is_first);
	else
		apply(sl, &rec, &f, is_first);
	errno = saved;
	return f.gained_ns;
}

COLD void hpt_sleep_place(struct hpt_sleep *sl)
{
	hpt_sleep_check(sl);
	if (!sl->end.is_blind)
		sl->state = HPT_STATE_OK;
}
