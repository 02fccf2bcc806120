// SPDX-License-Identifier: MIT
/*
 * hpt_wall_wait_after(), hpt_wall_wait_ready(), hpt_wall_sleep_until_ns() and their forms on a waiter: sleeps until a
 * wall's interval is past a time, or there is one, or its middle has reached a time.
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
	int64_t whole;              /* ticks of the time-out; INT64_MAX: none */
	int64_t left;               /* of them, after the latest sleep */
	int64_t most_error_ns;      /* sleeps: of what half an interval may be; INT64_MAX: any */
	int64_t error_ns;           /* and by how much UTC may be off the time at the end */
	int64_t goal;               /* and the tick at which the middle will have reached the time, as of now */
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

/* With a time-out of nothing the wait ends at the first look. One tick later is rounding. */
static void set_timeout(struct wait *t, int64_t timeout_ns)
{
	if (timeout_ns <= 0) {
		t->end = INT64_MIN;
		return;
	}
	t->whole = timeout_ns == INT64_MAX ? INT64_MAX : wait_ticks(t, timeout_ns);
	t->left = t->whole;
	t->end = t->whole == INT64_MAX ? INT64_MAX : hpt_sum(now(t), hpt_sum(t->whole, 1));
}

/* Of the time-out, not of the sleep, which ends at the next look. */
static int64_t left_of_timeout(const struct wait *t)
{
	int64_t left;

	if (t->whole == INT64_MAX || __builtin_sub_overflow(t->end, now(t), &left) || left > t->whole)
		return t->whole;
	return left;
}

/* ---- Looks --------------------------------------------------------------------------------------------------- */

typedef int look_fn(struct wait *t);

/* That tick, or before it one at which the bound is lost, or at which to look at the system's clocks. */
static int64_t wake_at(const struct wait *t, const struct hpt_wall_record *rec, uint64_t tick, uint64_t past)
{
	int64_t ahead = wait_ticks(t, LOOK_AHEAD_NS), stale = hpt_wall_stale_tick(t->w, rec);

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
	t->wake = wake_at(t, &rec, tick, hpt_bound_tick_after(&rec.read.bound, t->unix_ns));
	return WAIT_AGAIN;
}

/*
 * The middle is not before the time, so the upper end is farther from it. Read as late as can be: a thread that lost
 * its CPU at the end of its sleep says so by a larger error.
 */
static int end_of_sleep(struct wait *t, const struct hpt_wall_time *time)
{
	if (__builtin_sub_overflow(time->latest_ns, t->unix_ns, &t->error_ns))
		t->error_ns = INT64_MAX;
	return t->error_ns > t->most_error_ns ? -ERANGE : 0;
}

/* Returns 0: the middle of the interval has reached the time. */
static int look_until(struct wait *t)
{
	struct hpt_wall_record rec;
	struct hpt_wall_time time;
	struct hpt_bound_lines middle;
	uint64_t tick, past;
	int64_t half_ns;

	if (t->is_unsure || hpt_wall_read(t->w, &time))
		return -EAGAIN;
	half_ns = (time.latest_ns - time.earliest_ns) / 2;
	if (half_ns > t->most_error_ns)
		return -ERANGE;
	if (time.earliest_ns + half_ns >= t->unix_ns)
		return end_of_sleep(t, &time);
	if (hpt_wall_present(t->w, &rec, &tick))
		return -EAGAIN;
	middle = hpt_bound_middle(&rec.read.bound);
	past = hpt_bound_tick_after(&middle, t->unix_ns - 1);
	t->goal = hpt_wall_counter_tick(t->w, past);
	t->wake = wake_at(t, &rec, tick, past);
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
	if (hpt_wall_record_state(&rec) == HPT_WALL_STATE_LEAP || rec.leap.is_covered)
		t->wake = hpt_sum(now(t), hpt_sum(wait_ticks(t, LEAP_LOOK_NS), 1));
	return WAIT_AGAIN;
}

/* ---- The wait ------------------------------------------------------------------------------------------------ */

/* Looks once, and sleeps if that shows nothing. Returns WAIT_AGAIN, or the result. */
static int wait_once(struct wait *t, look_fn *look)
{
	bool is_last;
	int64_t unused;
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
	r = hpt_sleep_on(&t->s, HPT_DEADLINE_TICK, is_last ? t->end : t->wake, &unused);
	t->left = left_of_timeout(t);
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

/* On a waiter that has begun, whose sleeper is t->own: either bell ends the sleep. */
static int wait_on_waiter(struct wait *t, hpt_waiter *waiter, look_fn *look)
{
	int r;

	t->s = t->own;
	t->s.eventcount = hpt_bell(t->w->bell);
	hpt_bell_enter(&waiter->eventcount, t->w->bell);
	r = wait_on(t, look);
	hpt_bell_leave(&waiter->eventcount, t->w->bell);
	return r;
}

static bool is_left(int r)
{
	return r == -ECANCELED || r == -EINTR;
}

/* ---- Public -------------------------------------------------------------------------------------------------- */

HOT int hpt_wall_wait_after(hpt_wall *w, int64_t unix_ns, int64_t timeout_ns)
{
	struct wait t;

	if (!w)
		return -EINVAL;
	prepare_wait(&t, w, __builtin_return_address(0));
	t.unix_ns = unix_ns;
	set_timeout(&t, timeout_ns);
	return wait_on(&t, look_after);
}

HOT int hpt_wall_wait_after_on(hpt_wall *w, hpt_waiter *waiter, int64_t unix_ns, int64_t timeout_ns)
{
	struct wait t;
	int r;

	if (!waiter || !w || waiter->clk != w->clk)
		return -EINVAL;
	prepare_wait(&t, w, NULL);
	r = hpt_waiter_begin(waiter, __builtin_return_address(0), &t.own);
	if (r)
		return r;
	t.unix_ns = unix_ns;
	set_timeout(&t, timeout_ns);
	r = wait_on_waiter(&t, waiter, look_after);
	return hpt_waiter_end(waiter, r, is_left(r) ? t.left : 0);
}

COLD int hpt_wall_wait_ready(hpt_wall *w, int64_t max_width_ns, int64_t timeout_ns)
{
	struct wait t;

	if (!w || max_width_ns < 0)
		return -EINVAL;
	prepare_wait(&t, w, __builtin_return_address(0));
	t.unix_ns = max_width_ns;
	set_timeout(&t, timeout_ns);
	return wait_on(&t, look_ready);
}

/* Without a time-out: a bound that is lost ends it. */
static void set_sleep(struct wait *t, int64_t unix_ns, int64_t max_error_ns)
{
	t->unix_ns = unix_ns;
	t->most_error_ns = max_error_ns ? max_error_ns : INT64_MAX;
	t->end = t->whole = INT64_MAX;
}

static int give_error(const struct wait *t, int r, int64_t *ret_error_ns)
{
	if (!r && ret_error_ns)
		*ret_error_ns = t->error_ns;
	return r;
}

HOT int hpt_wall_sleep_until_ns(hpt_wall *w, int64_t unix_ns, int64_t max_error_ns, int64_t *ret_error_ns)
{
	struct wait t;

	if (!w || max_error_ns < 0)
		return -EINVAL;
	prepare_wait(&t, w, __builtin_return_address(0));
	set_sleep(&t, unix_ns, max_error_ns);
	return give_error(&t, wait_on(&t, look_until), ret_error_ns);
}

/* An interrupt that was pending came before the first look. */
static int64_t left_of_sleep(struct wait *t)
{
	return look_until(t) == WAIT_AGAIN ? hpt_sum(t->goal, -now(t)) : 0;
}

HOT int hpt_wall_sleep_until_ns_on(hpt_wall *w, hpt_waiter *waiter, int64_t unix_ns, int64_t max_error_ns,
				   int64_t *ret_error_ns)
{
	struct wait t;
	int r;

	if (!waiter || !w || waiter->clk != w->clk || max_error_ns < 0)
		return -EINVAL;
	prepare_wait(&t, w, NULL);
	r = hpt_waiter_begin(waiter, __builtin_return_address(0), &t.own);
	if (r)
		return r;
	set_sleep(&t, unix_ns, max_error_ns);
	r = wait_on_waiter(&t, waiter, look_until);
	return give_error(&t, hpt_waiter_end(waiter, r, is_left(r) ? left_of_sleep(&t) : 0), ret_error_ns);
}
