// SPDX-License-Identifier: MIT
/* What a daemon's earlier measurements mean now: lib/wall/measured.h. */
#include "wall/measured.h"

#include "arch/arch.h"
#include "math/units.h"

/* The daemon's numbers have 24 bits: this share of them is more than they are rounded by. */
#define ROUNDING_SHARE 4000000

/* A first step is larger than corrections and the errors of this arithmetic: chronyd's are 0.1 s or more. */
#define FIRST_STEP_NS (50 * NS_PER_MS)

/*
 * chronyd may show a measurement a poll late: in interleaved mode that of the exchange before, by its filter the mean
 * of several. The first that is new after an event may be from before it, while the second is of an exchange after the
 * first had come.
 */
#define DOUBTS 2

/* The daemon's clock is off the kernel's rate by less than that, so that its times are ticks, or nearly so. */
#define PACE_SHARE 1000

static int64_t amount_of(int64_t ns)
{
	return ns < 0 ? -ns : ns;
}

static int64_t portion_ns(int64_t ns, int64_t ppb)
{
	return hpt_scale_round(ns, hpt_scale_of((uint64_t)ppb, PPB));
}

static int64_t signed_portion_ns(int64_t ns, int64_t ppb)
{
	return ppb < 0 ? -portion_ns(ns, -ppb) : portion_ns(ns, ppb);
}

/* ---- Which measurements are new, and which are in doubt ------------------------------------------------------ */

static const struct hpt_measured_known *find_known(const struct hpt_measured_record *rec, uint64_t key)
{
	for (int i = 0; i < HPT_MEASURED_MOST; i++)
		if (rec->of[i].key == key)
			return &rec->of[i];
	return NULL;
}

static int64_t middle_ns(const struct hpt_measured *m)
{
	return m->off_lo_ns / 2 + m->off_hi_ns / 2;
}

struct noting {
	const struct hpt_measured_record *before;
	const struct hpt_wall_reading *reading;
	const struct hpt_measured_events *events;
	const struct hpt_measured_rates *rates;
	uint64_t steps;           /* since the statement before */
	bool is_void;             /* likewise */
	bool was_there;           /* steps or voids, ever */
};

/* How far the daemon's clock has come since the statement before, beyond its pace, give or take the slack. */
static int64_t own_moved_ns(const struct noting *n, int64_t *ret_slack_ns)
{
	const struct hpt_measured_record *before = n->before;
	const struct hpt_wall_sample *s = &n->reading->sample;
	int64_t raw_ns = hpt_scale_round((int64_t)((uint64_t)s->before - before->asked), n->rates->ns_per_tick);
	int64_t own_ns = s->earliest_ns / 2 + s->latest_ns / 2 - (before->own_lo_ns / 2 + before->own_hi_ns / 2);
	int64_t other_ppb = amount_of(n->reading->pace_ppb - before->pace_ppb);

	*ret_slack_ns = portion_ns(raw_ns, (int64_t)n->rates->error_ppb + other_ppb + 2) + NS_PER_US +
			(s->latest_ns - s->earliest_ns) + (before->own_hi_ns - before->own_lo_ns);
	return own_ns - raw_ns - signed_portion_ns(raw_ns, n->reading->pace_ppb);
}

/*
 * Of a new measurement, which knows of what came after it alone: a daemon that has not been synchronised before steps
 * at once, if at all, when it has measured. Nothing else has moved its clock then: what others set may be what the
 * daemon had slewed wrongly before it measured, so that neither shows in the sum.
 */
static bool may_know_all(const struct noting *n, const struct hpt_measured *m, int64_t slack_ns)
{
	return n->steps == 1 && n->before->is_unsynced && amount_of(m->moved_ns) >= FIRST_STEP_NS &&
	       hpt_sum(m->moved_ns, slack_ns) >= n->events->step_lo_ns &&
	       hpt_sum(m->moved_ns, -slack_ns) <= n->events->step_hi_ns;
}

/*
 * Of a measurement from before CLOCK_REALTIME was set, or perhaps from before it: did the daemon set it? Then its clock
 * has moved by what the daemon knows to have moved it, give or take what is returned. -1: another program may have.
 */
static int64_t step_slack_ns(const struct noting *n, const struct hpt_measured_known *known,
			     const struct hpt_measured *m)
{
	bool is_same = m->number && known->number == m->number;
	int64_t knows_ns = is_same ? known->off_ns - middle_ns(m) : m->moved_ns, slack_ns;
	int64_t off_ns = hpt_sum(own_moved_ns(n, &slack_ns), -knows_ns);
	int64_t other_ppb = amount_of(n->reading->pace_ppb - n->before->pace_ppb);

	/*
	 * A pace that changed since it was made moved it as well, and only the measurement knows when that was: one in
	 * doubt does not, because its age is by the clock that was set.
	 */
	if (known->doubts && other_ppb)
		return -1;
	slack_ns += portion_ns(m->age_ns, other_ppb) +
		    amount_of(middle_ns(m)) / ROUNDING_SHARE + amount_of(m->moved_ns) / ROUNDING_SHARE +
		    amount_of(known->off_ns) / ROUNDING_SHARE + 3;
	/* Of a source that was not measured yet there is nothing to compare. */
	if (n->is_void || !(is_same || may_know_all(n, m, slack_ns)) || amount_of(off_ns) > slack_ns)
		return -1;
	return 2 * slack_ns;
}

static struct hpt_measured_known know(const struct noting *n, const struct hpt_measured *m)
{
	struct hpt_measured_known now = { .key = m->key, .number = m->number, .off_ns = middle_ns(m) };
	const struct hpt_measured_known *known = n->before->is_known ? find_known(n->before, m->key) : NULL;
	int64_t slack_ns = 0;

	if (!known) {
		/* When it was made is not known, and the daemon says it by the clock that was set. */
		now.doubts = n->was_there ? DOUBTS : 0;
		return now;
	}
	if (n->steps || n->is_void)
		slack_ns = step_slack_ns(n, known, m);
	if (known->number == m->number) {
		now = *known;
		now.off_ns = middle_ns(m);
	} else {
		now.doubts = known->doubts ? known->doubts - 1 : 0;
		now.more_ns = known->next_more_ns;
	}
	if (slack_ns < 0) {
		now.doubts = DOUBTS;
	} else {
		now.more_ns = hpt_sum(now.more_ns, slack_ns);
		now.next_more_ns = hpt_sum(now.next_more_ns, slack_ns);
	}
	return now;
}

COLD bool hpt_measured_note(struct hpt_measured_record *rec, const struct hpt_wall_reading *reading,
			    const struct hpt_measured_events *events, const struct hpt_measured_rates *rates)
{
	const struct hpt_wall_sample *s = &reading->sample;
	struct hpt_measured_record next = {
		.is_known = 1, .asked = (uint64_t)s->before, .own_lo_ns = s->earliest_ns, .own_hi_ns = s->latest_ns,
		.pace_ppb = reading->pace_ppb, .is_unsynced = reading->is_unsynced, .events = reading->events,
	};
	const struct noting n = {
		.before = rec, .reading = reading, .events = events, .rates = rates,
		.steps = events->steps - rec->events.steps, .is_void = events->voids != rec->events.voids,
		.was_there = events->steps || events->voids,
	};

	bool is_new = false;

	/* Of two threads that ask at once the later question may be noted first. */
	if (rec->is_known && (int64_t)(next.asked - rec->asked) < 0 && !n.is_void)
		return false;
	for (uint32_t i = 0; i < reading->n_measured; i++) {
		const struct hpt_measured *m = &reading->measured[i];
		const struct hpt_measured_known *known = find_known(rec, m->key);

		is_new |= !known || known->number != m->number;
		next.of[i] = know(&n, m);
	}
	*rec = next;
	return is_new;
}

/* ---- What they mean now ---------------------------------------------------------------------------------- */

/* The most ticks that have passed since it was made, until the sample's moment. */
static int64_t age_in_ticks(const struct hpt_measured *m, const struct hpt_measured_rates *rates)
{
	return hpt_sum(hpt_scale_round(hpt_sum(m->age_ns, m->age_ns / PACE_SHARE + 1), rates->tick_per_ns), 1);
}

/*
 * Since the measurement the daemon's clock has run at its own pace, and UTC within the band. So what UTC is ahead has
 * grown by at most the difference, and it may have been made now.
 */
static struct hpt_utc offset_now(const struct hpt_wall_reading *reading, const struct hpt_measured *m,
				 const struct hpt_measured_rates *rates, int64_t ticks)
{
	int64_t raw_ns = hpt_scale_round(ticks, rates->ns_per_tick);
	int64_t own_ns = raw_ns + signed_portion_ns(raw_ns, reading->pace_ppb);
	/* Two of each are rounded, and the pace by 10^-9. */
	int64_t slack_ns = portion_ns(raw_ns, (int64_t)rates->error_ppb + 1) + 3;
	int64_t least_ns = hpt_scale_round(ticks, rates->utc.lo) - own_ns - slack_ns;
	int64_t most_ns = hpt_scale_round(ticks, rates->utc.hi) - own_ns + slack_ns;

	return (struct hpt_utc){ hpt_sum(m->off_lo_ns, least_ns < 0 ? least_ns : 0),
				 hpt_sum(m->off_hi_ns, most_ns > 0 ? most_ns : 0) };
}

/* Made before a leap second that the clocks have passed since: the daemon may or may not have inserted it. */
static bool is_before_leap(const struct hpt_wall_reading *reading, const struct hpt_measured *m, int64_t leap_at_ns)
{
	int64_t made_ns = hpt_sum(hpt_sum(reading->sample.earliest_ns, m->off_lo_ns), -m->age_ns);
	int64_t now_ns = hpt_sum(reading->sample.latest_ns, m->off_hi_ns);

	return leap_at_ns && made_ns < leap_at_ns && now_ns >= leap_at_ns;
}

static uint32_t why_not(const struct hpt_measured_known *known, const struct hpt_wall_reading *reading,
			const struct hpt_measured *m, int64_t leap_at_ns)
{
	if (m->reason)
		return m->reason;
	/* Of two threads that ask at once, one may find what the other has noted. */
	if (known->doubts || known->key != m->key || known->number != m->number)
		return HPT_WALL_REASON_STEPPED;
	return is_before_leap(reading, m, leap_at_ns) ? HPT_WALL_REASON_LEAP : HPT_WALL_REASON_NONE;
}

COLD uint32_t hpt_measured_bound(const struct hpt_measured_record *rec, const struct hpt_wall_reading *reading,
				 const struct hpt_measured_rates *rates, int64_t leap_at_ns, struct hpt_utc *ret)
{
	struct hpt_utc off = { -INT64_MAX, INT64_MAX };
	uint32_t why = HPT_WALL_REASON_NO_BOUND;
	bool has_one = false;

	for (uint32_t i = 0; i < reading->n_measured; i++) {
		const struct hpt_measured *m = &reading->measured[i];
		uint32_t reason = why_not(&rec->of[i], reading, m, leap_at_ns);
		struct hpt_utc now;

		if (reason) {
			why = why == HPT_WALL_REASON_NO_BOUND ? reason : why;
			continue;
		}
		now = offset_now(reading, m, rates, age_in_ticks(m, rates));
		now.lo_ns = hpt_sum(now.lo_ns, -rec->of[i].more_ns);
		now.hi_ns = hpt_sum(now.hi_ns, rec->of[i].more_ns);
		off.lo_ns = now.lo_ns > off.lo_ns ? now.lo_ns : off.lo_ns;
		off.hi_ns = now.hi_ns < off.hi_ns ? now.hi_ns : off.hi_ns;
		has_one = true;
	}
	if (!has_one)
		return why;
	if (off.lo_ns > off.hi_ns)
		return HPT_WALL_REASON_CONTRADICTED;
	ret->lo_ns = hpt_sum(reading->sample.earliest_ns, off.lo_ns);
	ret->hi_ns = hpt_sum(reading->sample.latest_ns, off.hi_ns);
	return HPT_WALL_REASON_NONE;
}
