// SPDX-License-Identifier: MIT
/* When a sleep ends, by its first check: lib/sleep/settle.h. */
#include "sleep/settle.h"

#include "sleep/deadline.h"

/*
 * How much of a duration has passed. If the counter stepped before the first tick it is right about the time since; if
 * after that, the clock is: the shorter of both is never too long. If the old record is not known, only a time shorter
 * than the gap is believed.
 */
static int64_t passed_ns(uint64_t start, const struct hpt_found *f, const struct hpt_record *rec)
{
	int64_t by_counter = hpt_deadline_between_ns(rec, start, f->r.b.before);
	int64_t by_clock = hpt_sum(by_counter, -f->stepped_ns);
	int64_t passed = by_counter < by_clock ? by_counter : by_clock;

	return passed < 0 || (!f->is_known && passed > HPT_SPIN_GAP_NS) ? 0 : passed;
}

/* Makes the end of a duration a time on the timeline: the start on it plus the duration, plus 1 for rounding. */
static void end_duration(struct hpt_asked *asked, const struct hpt_found *f, const struct hpt_record *rec)
{
	uint64_t tick = f->r.b.after;
	int64_t now_ns = hpt_deadline_line_ns(CLOCK_MONOTONIC_RAW, rec, tick, f->r.b.ref_ns);
	int64_t passed = f->is_known && !f->moved_ns ?
			 hpt_scale_round((int64_t)(tick - asked->start), rec->read.ns.slope) :
			 passed_ns(asked->start, f, rec);

	asked->at = hpt_sum(asked->at, now_ns - passed + 1);
	asked->kind = HPT_DEADLINE_NS;
}

/*
 * For a sleep until a tick, or for ticks: the tick of the stepped counter at which the clock says that it ends. It is
 * no later than if the whole length began now, since the counter may have stepped twice.
 */
static uint64_t clocks_tick(const struct hpt_asked *asked, uint64_t deadline, const struct hpt_found *f,
			    const struct hpt_record *rec)
{
	uint64_t most = f->r.b.before + (deadline - asked->start), tick;
	int64_t passed = hpt_sum(f->r.b.ref_ns, -f->old.ref_ns);

	if (!f->is_known || asked->kind != HPT_DEADLINE_TICK)
		return most - (uint64_t)hpt_scale_round(passed_ns(asked->start, f, rec), rec->convert.tick_per_ns);
	/* In ticks: the nanoseconds of a step may not fit in 64 bits. */
	tick = deadline + f->r.b.after - f->old.after - (uint64_t)hpt_scale_round(passed, rec->convert.tick_per_ns);
	return (int64_t)(most - tick) < 0 ? most : tick;
}

COLD uint64_t hpt_settle(struct hpt_asked *asked, uint64_t deadline, const struct hpt_found *f,
			 const struct hpt_record *rec)
{
	switch (asked->kind) {
	case HPT_DEADLINE_AFTER_NS:
		end_duration(asked, f, rec);
		return deadline;
	case HPT_DEADLINE_NS:
		if (f->moved_ns != f->stepped_ns) /* the timeline moved; the reading's width makes up for its error */
			asked->at = hpt_sum(asked->at, hpt_deadline_between_ns(rec, f->r.b.before, f->r.b.after) -
						       f->moved_ns);
		return deadline;
	case HPT_DEADLINE_TICK:
		return f->is_known && !f->stepped_ns ? deadline : clocks_tick(asked, deadline, f, rec);
	default:
		return deadline;
	}
}
