// SPDX-License-Identifier: MIT
/*
 * Tickers: sleeps until the beats of a cadence on the timeline of hpt_now_ns(). Each is a period after the one before,
 * however late that one was met.
 */
#include <errno.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "source/own_time.h"
#include "clock/sized.h"
#include "clock/timekeeper.h"
#include "sleep/ticker_fd.h"

/* In on_missed: HPT_TICKER_, and above it the most ticks to catch up at once. */
#define TICKER_KIND 3u
#define TICKER_MOST_SHIFT 2

#define NOT_LATE (-1) /* late_ns: there is no tick to count */

/* ---- The next tick ------------------------------------------------------------------------------------------ */

static bool is_spent(const struct hpt_ticker *t)
{
	return atomic_load_explicit(&t->due_ns, memory_order_relaxed) == HPT_TICKER_SPENT;
}

static void set_next(struct hpt_ticker *t, struct hpt_beat next)
{
	t->next = next;
	atomic_store_explicit(&t->due_ns, hpt_beat_ns(next), memory_order_relaxed);
}

/* Advances to the tick after the next. A one-shot ticker is spent then. */
static void advance(struct hpt_ticker *t, struct hpt_beat after)
{
	if (hpt_cadence_is_once(t->cadence))
		atomic_store_explicit(&t->due_ns, HPT_TICKER_SPENT, memory_order_relaxed);
	else
		set_next(t, after);
}

static void set_last(struct hpt_ticker *t, const struct hpt_moment *now)
{
	t->last = *now;
	atomic_store_explicit(&t->generation, now->at.generation, memory_order_release);
}

/* Takes the present moment; where the timeline has moved carries the next tick to it. */
static void look_at_clocks(struct hpt_ticker *t, struct hpt_moment *now)
{
	hpt_moment_after(t->waiter.clk, &t->last, now);
	if (unlikely(hpt_moment_has_moved(&t->last, now)) && t->next.ns != INT64_MAX) {
		t->next.ns = hpt_moment_carried_ns(&t->last, now, t->next.ns);
		if (!is_spent(t))
			set_next(t, t->next);
	}
	set_last(t, now);
}

/* Sets the first tick. INT64_MIN stands for a spent one. */
static void begin_at(struct hpt_ticker *t, struct hpt_cadence cadence, int64_t first_ns)
{
	t->cadence = cadence;
	set_next(t, (struct hpt_beat){ first_ns > INT64_MIN ? first_ns : INT64_MIN + 1, 0 });
}

static void begin_never(struct hpt_ticker *t)
{
	t->cadence = hpt_cadence_of_ns(0);
	t->next = (struct hpt_beat){ INT64_MAX, 0 };
	atomic_store_explicit(&t->due_ns, HPT_TICKER_SPENT, memory_order_relaxed);
}

/* ---- New, start, free ---------------------------------------------------------------------------------------- */

COLD int hpt_ticker_new(hpt_clock *clk, int64_t period_ns, uint32_t flags, hpt_ticker **ret)
{
	struct hpt_moment now;
	struct hpt_ticker *t;

	if (!ret || period_ns < 0 || flags & ~(uint32_t)HPT_WAIT_EINTR)
		return -EINVAL;
	t = hpt_object_new(sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->waiter.clk = hpt_clock_ref(clk);
	t->waiter.flags = flags;
	t->armed_ns = INT64_MAX;
	atomic_init(&t->late_ns, NOT_LATE);
	hpt_moment_take(t->waiter.clk, &now);
	set_last(t, &now);
	if (period_ns)
		begin_at(t, hpt_cadence_of_ns(period_ns),
			 period_ns == INT64_MAX ? INT64_MAX : hpt_sum(now.at.ns, period_ns));
	else
		begin_never(t);
	*ret = t;
	return 0;
}

static COLD int start(struct hpt_ticker *t, int64_t first_ns, struct hpt_cadence cadence)
{
	struct hpt_moment now;
	int r = hpt_waiter_claim(&t->waiter);

	if (r)
		return r;
	hpt_moment_after(t->waiter.clk, &t->last, &now);
	set_last(t, &now);
	begin_at(t, cadence, first_ns);
	hpt_ticker_fd_after(t, INT64_MIN, 0);
	hpt_waiter_release(&t->waiter);
	return 0;
}

COLD int hpt_ticker_start(hpt_ticker *t, int64_t first_ns, int64_t period_ns)
{
	return t && period_ns >= 0 ? start(t, first_ns, hpt_cadence_of_ns(period_ns)) : -EINVAL;
}

COLD int hpt_ticker_start_rational(hpt_ticker *t, int64_t first_ns, uint32_t num, uint32_t den)
{
	return t && num && den ? start(t, first_ns, hpt_cadence_of_seconds(num, den)) : -EINVAL;
}

COLD void hpt_ticker_free(hpt_ticker *t)
{
	if (!t)
		return;
	hpt_own_fd_close(&t->waiter.own);
	hpt_clock_close(t->waiter.clk);
	free(t);
}

/* ---- Wait ------------------------------------------------------------------------------------------------- */

static void add_to(_Atomic uint64_t *sum, uint64_t n)
{
	uint64_t old = atomic_load_explicit(sum, memory_order_relaxed);

	atomic_store_explicit(sum, n < UINT64_MAX - old ? old + n : UINT64_MAX, memory_order_relaxed);
}

/* A wait counts the tick of the one before, so that its own end is not delayed by a cold cache line. */
static void count_late(struct hpt_ticker *t)
{
	int64_t late_ns = atomic_load_explicit(&t->late_ns, memory_order_relaxed);

	if (late_ns == NOT_LATE)
		return;
	atomic_store_explicit(&t->late_ns, NOT_LATE, memory_order_relaxed);
	hpt_lateness_add(&t->lateness, late_ns);
}

static uint32_t kind_of(const struct hpt_ticker *t)
{
	return (uint32_t)atomic_load_explicit(&t->on_missed, memory_order_relaxed) & TICKER_KIND;
}

/* How many of the missed ticks are dropped. */
static uint64_t dropped(const struct hpt_ticker *t, uint64_t missed)
{
	uint64_t most = atomic_load_explicit(&t->on_missed, memory_order_relaxed) >> TICKER_MOST_SHIFT;

	if (kind_of(t) != HPT_TICKER_CATCH_UP)
		return missed;
	return most && missed > most ? missed - most : 0;
}

/*
 * Returns the number of missed ticks, and passes over those that are dropped. now is from before the sleep: ticks due
 * during it count in the next wait. If they are to be caught up those due by now count.
 */
static __attribute__((noinline)) uint64_t deliver(struct hpt_ticker *t, const struct hpt_moment *now)
{
	struct hpt_moment then = *now;
	uint64_t missed, n;

	if (kind_of(t) == HPT_TICKER_CATCH_UP)
		look_at_clocks(t, &then);
	missed = hpt_cadence_due(t->cadence, t->next, then.at.ns);
	n = dropped(t, missed);
	if (n) {
		t->next = hpt_cadence_later(t->cadence, t->next, n);
		add_to(&t->missed, n);
	}
	return missed;
}

/* Sleeps until the next tick, which comes at once if it is due. A pending interrupt takes precedence. */
static int sleep_until_next(const struct hpt_ticker *t, const struct hpt_sleeper *s, int64_t *ret_left)
{
	if (is_spent(t))
		return hpt_sleeper_is_interrupted(s) ? -ECANCELED : -ENODATA;
	return hpt_sleep_on(s, HPT_DEADLINE_NS, hpt_beat_ns(t->next), ret_left);
}

/* How late the tick is that is taken now. The sleep was until slept_ns, and ended with left ticks left. */
static int64_t late_ns(const struct hpt_ticker *t, const struct hpt_moment *now, int64_t slept_ns, int64_t left)
{
	int64_t late = now->at.ns < slept_ns ? hpt_scale_round(left < 0 ? -left : 0, now->at.slope) :
					       hpt_sum(now->at.ns, -slept_ns);

	late = hpt_sum(late, hpt_sum(slept_ns, -hpt_beat_ns(t->next)));
	return late > 0 ? late : 0;
}

/* A tick that is late by a period or more starts a new grid: the one after it comes a period from now. */
static uint64_t delay(struct hpt_ticker *t, int64_t now_ns, struct hpt_beat *after)
{
	uint64_t missed = hpt_cadence_due(t->cadence, t->next, now_ns);

	if (missed) {
		*after = hpt_cadence_later(t->cadence, (struct hpt_beat){ now_ns, 0 }, 1);
		add_to(&t->missed, missed);
	}
	return missed;
}

/* The wait is over, on the next tick or one after it. now is from before it, left the ticks left when it ended. */
static uint64_t take_tick(struct hpt_ticker *t, const struct hpt_moment *now, struct hpt_beat after, int r,
			  int64_t left)
{
	int64_t slept_ns = hpt_beat_ns(t->next), late;
	uint32_t kind = kind_of(t);
	uint64_t missed = 0;

	if (unlikely(kind != HPT_TICKER_DELAY && (r || now->at.ns >= slept_ns || kind == HPT_TICKER_CATCH_UP))) {
		missed = deliver(t, now);
		after = hpt_cadence_later(t->cadence, t->next, 1);
	}
	late = late_ns(t, now, slept_ns, left);
	if (unlikely(kind == HPT_TICKER_DELAY))
		missed = delay(t, now->at.ns < slept_ns ? hpt_sum(slept_ns, late) : now->at.ns, &after);
	atomic_store_explicit(&t->late_ns, r ? NOT_LATE : late, memory_order_relaxed);
	add_to(&t->ticks, 1);
	advance(t, after);
	return missed;
}

/*
 * The kernel ended a sleep until slept_ns. The clock may stand still, so the next tick is carried at once, before
 * others ask for it. Where no clock can be read the sleep has lasted its time, by which all ticks are nearer now.
 */
static COLD void note_kernels_end(struct hpt_ticker *t, int64_t slept_ns)
{
	struct hpt_moment now;
	struct hpt_record rec;

	look_at_clocks(t, &now);
	hpt_timekeeper_current(t->waiter.clk, &rec);
	/* If the OS clock was ever readable its lost reading of 0 says nothing of where it stands. */
	if ((now.is_os && rec.read.start) || now.mono_ns || now.at.ns >= slept_ns || t->next.ns == INT64_MAX)
		return;
	t->next.ns = hpt_sum(t->next.ns, now.at.ns - slept_ns);
	if (!is_spent(t))
		set_next(t, t->next);
}

/* The time after the next tick for which the descriptor is to be armed: for ever after a single one. */
static int64_t after_ns(const struct hpt_ticker *t, struct hpt_beat after)
{
	return hpt_cadence_is_once(t->cadence) ? INT64_MAX : hpt_beat_ns(after);
}

int hpt_ticker_wait(hpt_ticker *t, uint64_t *ret_missed)
{
	int64_t left = 0, armed_for_ns, slept_ns;
	struct hpt_moment now;
	struct hpt_sleeper s;
	struct hpt_beat after;
	uint64_t missed;
	int r = hpt_waiter_begin(t ? &t->waiter : NULL, __builtin_return_address(0), &s);

	if (r)
		return r;
	look_at_clocks(t, &now);
	count_late(t);
	after = hpt_cadence_later(t->cadence, t->next, 1);
	armed_for_ns = hpt_ticker_fd_before(t, now.at.ns, hpt_beat_ns(t->next), after_ns(t, after));
	slept_ns = hpt_beat_ns(t->next);
	r = sleep_until_next(t, &s, &left);
	if (r >= 0) {
		missed = take_tick(t, &now, after, r, left);
		if (unlikely(r))
			note_kernels_end(t, slept_ns);
		if (ret_missed)
			*ret_missed = missed;
	} else if (r == -ECANCELED) {
		hpt_waiter_acknowledge(&t->waiter);
	}
	hpt_ticker_fd_after(t, armed_for_ns, r);
	hpt_waiter_release(&t->waiter);
	return r;
}

int hpt_ticker_interrupt(hpt_ticker *t)
{
	if (!t)
		return -EINVAL;
	hpt_own_fd_begin_interrupt(&t->waiter.own, &t->waiter.eventcount);
	hpt_ticker_fd_ring(t);
	hpt_waiter_notify(&t->waiter);
	return 0;
}

/* ---- Facts and settings --------------------------------------------------------------------------------------- */

/* Carries the next tick to the timeline of the present generation, unless a thread waits, which will. */
static int renew_start(struct hpt_ticker *t)
{
	struct hpt_moment now;
	int r = hpt_waiter_claim(&t->waiter);

	if (r)
		return r;
	look_at_clocks(t, &now);
	hpt_waiter_release(&t->waiter);
	return 0;
}

/* The time of the next tick in the present generation. 0, or -EBUSY. */
static int get_next(struct hpt_ticker *t, int64_t *ret)
{
	struct hpt_instant now;
	uint64_t generation;
	int r = 0;

	do {
		hpt_timekeeper_instant(t->waiter.clk, CLOCK_MONOTONIC_RAW, &now);
		generation = atomic_load_explicit(&t->generation, memory_order_acquire);
		*ret = atomic_load_explicit(&t->due_ns, memory_order_acquire);
		if (generation != now.generation)
			r = renew_start(t);
	} while (!r && (generation != now.generation ||
			generation != atomic_load_explicit(&t->generation, memory_order_relaxed)));
	return r;
}

int hpt_ticker_next_ns(hpt_ticker *t, int64_t *ret)
{
	int64_t ns;
	int r = t && ret ? get_next(t, &ns) : -EINVAL;

	if (r)
		return r;
	if (ns == HPT_TICKER_SPENT)
		return -ENODATA;
	*ret = ns;
	return 0;
}

COLD int hpt_ticker_get_info(hpt_ticker *t, struct hpt_ticker_info *ret, size_t size)
{
	struct hpt_ticker_info info = { 0 };
	struct hpt_lateness_copy late;

	if (!t || !ret || size < HPT_TICKER_INFO_SIZE_V0)
		return -EINVAL;
	info.policy = hpt_object_policy_kind(&t->waiter.policy);
	info.ticks = atomic_load_explicit(&t->ticks, memory_order_relaxed);
	info.missed = atomic_load_explicit(&t->missed, memory_order_relaxed);
	hpt_lateness_get(&t->lateness, atomic_load_explicit(&t->late_ns, memory_order_relaxed), &late);
	info.late_median_ns = hpt_lateness_quantile_ns(&late, 1, 2);
	info.late_p99_ns = hpt_lateness_quantile_ns(&late, 99, 100);
	info.late_max_ns = late.longest_ns;
	hpt_hand_out(ret, size, &info, sizeof(info));
	return 0;
}

COLD int hpt_ticker_set_missed(hpt_ticker *t, uint32_t missed, uint64_t most)
{
	if (!t || missed > HPT_TICKER_DELAY || (missed == HPT_TICKER_DELAY && most))
		return -EINVAL;
	if (most > UINT64_MAX >> TICKER_MOST_SHIFT)
		most = 0;
	atomic_store_explicit(&t->on_missed, most << TICKER_MOST_SHIFT | missed, memory_order_relaxed);
	return 0;
}

COLD int hpt_ticker_set_policy(hpt_ticker *t, uint32_t policy, int64_t max_spin_ns)
{
	return hpt_waiter_set_policy(t ? &t->waiter : NULL, policy, max_spin_ns);
}

COLD hpt_clock *hpt_ticker_clock(hpt_ticker *t)
{
	return t ? t->waiter.clk : NULL;
}
