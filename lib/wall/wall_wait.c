// SPDX-License-Identifier: MIT
/*
 * hpt_wall_wait_after(), hpt_waiter_wait_after(), hpt_wall_wait_ready(): sleeps until a wall's interval is past a time,
 * or there is one.
 *
 * A sleeper loads the value of the wall's bell, looks at the wall, and sleeps until the tick at which the present
 * record is past the time, or until the bell has another value. A feed or update publishes a record and then rings. So
 * either the sleeper sees the record, or the sleep ends. The same holds for the interrupt of a waiter: see bell.h.
 */
#include <errno.h>

#include "arch/arch.h"
#include "sleep/waiter.h"
#include "wall/wall_counter.h"
#include "wall/wall_keeper.h"
#include "wall/wall_read.h"

/* The wait goes on. Differs from every result. */
#define WAIT_AGAIN 1

/*
 * A look at the system's clocks takes below a microsecond, or some more if its code and data have left the caches. This
 * long before the end of a wait one is made, if it would be due at the end.
 */
#define LOOK_AHEAD_NS 30000

/* How often to look at a wall while its leap second passes: nothing else shows that it has passed. */
#define LEAP_LOOK_NS 100000000

struct wait {
	struct hpt_wall *w;
	struct hpt_sleeper s;       /* on the wall's bell */
	struct hpt_sleeper own;     /* on the waiter's own eventcount; eventcount NULL: no waiter */
	int64_t unix_ns;            /* the time; for wait_ready() the width */
	int64_t end;                /* the tick of the time-out; INT64_MAX: none */
	int64_t wake;               /* the tick to sleep until, by the latest look */
	int64_t left;               /* ticks, as hpt_sleep_on() sets them */
	bool is_unsure;             /* the latest sleep saw the counter jump or stop, and no look was possible */
};

static int64_t wait_ticks(const struct wait *t, int64_t ns)
{
	return hpt_ns_to_ticks(t->w->clk, ns);
}

static int64_t now(const struct wait *t)
{
	return (int64_t)t->w->clk->src.read(&t->w->clk->src);
}

/* A time-out of 0 ends at the first look: one tick later is rounding. */
static int64_t end_of(const struct wait *t, int64_t timeout_ns)
{
	return timeout_ns < 0 ? INT64_MAX : hpt_sum(now(t), hpt_sum(wait_ticks(t, timeout_ns), timeout_ns > 0));
}

/* ---- Looks --------------------------------------------------------------------------------------------------- */

typedef int look_fn(struct wait *t);

/* The first tick at which the latest sample is too old. One tick more is for rounding. */
static int64_t stale_tick(const struct wait *t, const struct hpt_wall_record *rec)
{
	int64_t max_age_ns = t->w->config.max_age_ns ? t->w->config.max_age_ns : HPT_WALL_MAX_AGE_NS;

	return hpt_sum((int64_t)rec->sampled, hpt_sum(wait_ticks(t, hpt_sum(max_age_ns, 1)), 1));
}

/* The tick at which the time is past or the bound is lost, or before it one at which to look at the system's clocks. */
static int64_t wake_after(const struct wait *t, const struct hpt_wall_record *rec, uint64_t tick)
{
	uint64_t past = hpt_bound_tick_after(&rec->read.bound, t->unix_ns);
	int64_t ahead = wait_ticks(t, LOOK_AHEAD_NS), stale = stale_tick(t, rec);

	if (stale > (int64_t)tick && stale < (int64_t)past)
		return hpt_wall_counter_tick(t->w, (uint64_t)stale);
	if (past - rec->read.bound.tick >= rec->read.span && (int64_t)(past - tick) > ahead)
		past -= (uint64_t)ahead;
	return hpt_wall_counter_tick(t->w, past);
}

/* Returns 0: UTC is surely after the time. */
static int look_after(struct wait *t)
{
	struct hpt_wall_record rec;
	struct hpt_wall_time time;
	uint64_t tick;

	if (t->is_unsure || hpt_wall_read(t->w, &time))
		return -EAGAIN;
	if (time.earliest_ns > t->unix_ns)
		return 0;
	if (hpt_wall_present(t->w, &rec, &tick))
		return -EAGAIN;
	if (hpt_bound_after(&rec.read.bound, tick - rec.read.bound.tick).lo_ns > t->unix_ns)
		return 0;
	t->wake = wake_after(t, &rec, tick);
	return WAIT_AGAIN;
}

/* Returns 0: there is a bound, no wider than the limit. It widens until the next sample. */
static COLD int look_ready(struct wait *t)
{
	struct hpt_wall_record rec = { 0 };
	struct hpt_utc utc;
	uint64_t tick;

	if (!hpt_wall_present(t->w, &rec, &tick)) {
		utc = hpt_bound_after(&rec.read.bound, tick - rec.read.bound.tick);
		if (!t->unix_ns || utc.hi_ns - utc.lo_ns <= t->unix_ns)
			return 0;
	}
	t->wake = INT64_MAX;
	if (hpt_wall_record_state(&rec) == HPT_WALL_LEAP || rec.leap.is_covered)
		t->wake = hpt_sum(now(t), hpt_sum(wait_ticks(t, LEAP_LOOK_NS), 1));
	return WAIT_AGAIN;
}

/* ---- The wait ------------------------------------------------------------------------------------------------ */

/* Looks once, and sleeps if that shows nothing. Returns WAIT_AGAIN, or the result. */
static int wait_once(struct wait *t, look_fn *look)
{
	bool is_last;
	int r;

	t->s.key = hpt_eventcount_value(t->s.eventcount);
	if (hpt_sleeper_is_interrupted(&t->own))
		return -ECANCELED;
	r = look(t);
	if (r != WAIT_AGAIN)
		return r;
	is_last = t->end <= t->wake;
	if (t->end <= now(t))
		return -ETIMEDOUT;
	r = hpt_sleep_on(&t->s, HPT_DEADLINE_TICK, is_last ? t->end : t->wake, 1, &t->left);
	if (r == -EINTR)
		return r;
	/* The record's span is in ticks of that counter. */
	t->is_unsure = r > 0 && !hpt_wall_look(t->w);
	/* Not by the counter alone, which may have stopped. */
	if (r >= 0 && is_last) {
		r = look(t);
		return r == WAIT_AGAIN ? -ETIMEDOUT : r;
	}
	return WAIT_AGAIN;
}

static int wait_on(struct wait *t, look_fn *look)
{
	int r;

	atomic_fetch_add_explicit(&t->w->waiting, 1, memory_order_relaxed);
	do
		r = wait_once(t, look);
	while (r == WAIT_AGAIN);
	atomic_fetch_sub_explicit(&t->w->waiting, 1, memory_order_relaxed);
	return r;
}

static void prepare_wait(struct wait *t, struct hpt_wall *w, const void *exit)
{
	*t = (struct wait){ .w = w };
	t->s.clk = w->clk;
	t->s.policy = hpt_policy_current();
	t->s.exit = exit;
	t->s.eventcount = hpt_bell(w->bell);
}

/* ---- Public -------------------------------------------------------------------------------------------------- */

HOT int hpt_wall_wait_after(hpt_wall *w, int64_t unix_ns, int64_t timeout_ns)
{
	struct wait t;

	if (!w)
		return -EINVAL;
	prepare_wait(&t, w, __builtin_return_address(0));
	t.unix_ns = unix_ns;
	t.end = end_of(&t, timeout_ns);
	return wait_on(&t, look_after);
}

HOT int hpt_waiter_wait_after(hpt_waiter *waiter, hpt_wall *w, int64_t unix_ns, int64_t timeout_ns)
{
	struct wait t;
	int r;

	if (!waiter || !w || waiter->clk != w->clk)
		return -EINVAL;
	prepare_wait(&t, w, NULL);
	r = hpt_waiter_begin(waiter, __builtin_return_address(0), &t.own);
	if (r)
		return r;
	t.s = t.own;
	t.s.eventcount = hpt_bell(w->bell);
	t.unix_ns = unix_ns;
	t.end = end_of(&t, timeout_ns);
	hpt_bell_enter(&waiter->eventcount, w->bell);
	r = wait_on(&t, look_after);
	hpt_bell_leave(&waiter->eventcount, w->bell);
	return hpt_waiter_end(waiter, r, t.left);
}

COLD int hpt_wall_wait_ready(hpt_wall *w, int64_t max_width_ns, int64_t timeout_ns)
{
	struct wait t;

	if (!w || max_width_ns < 0)
		return -EINVAL;
	prepare_wait(&t, w, __builtin_return_address(0));
	t.unix_ns = max_width_ns;
	t.end = end_of(&t, timeout_ns);
	return wait_on(&t, look_ready);
}
