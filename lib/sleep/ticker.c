// SPDX-License-Identifier: MIT
/*
 * Tickers: deadlines a period apart on the timeline of hpt_now_ns(). Each is the previous deadline plus the period,
 * however late that one was met.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "clock/default.h"
#include "clock/timekeeper.h"
#include "sleep/margin.h"
#include "sleep/waiter.h"

/*
 * The margin of the kernel's wake of an event loop. The guess and the cap are kernel_phase.c's for long waits, the
 * window is its one for brief waits.
 */
#define GUESS_NS 150000
#define CAP_NS   1000000
#define WINDOW   512

/* An event loop that comes later than this was busy, which says nothing about how late it was woken. */
#define BUSY_NS 16000000

struct hpt_ticker {
	struct hpt_waiter waiter;
	int64_t period_ns, next_ns;
	uint64_t generation;       /* of the timeline that next_ns lies on */
	uint32_t policy;           /* HPT_TICKER_ */
	int fd;                    /* -1: none */
	int64_t armed_ns;          /* when the fd becomes readable; INT64_MAX: nothing to learn from that */
	struct hpt_margin margin;  /* how late event loops are woken */
};

int hpt_ticker_new(hpt_clock *clk, int64_t period_ns, uint32_t flags, hpt_ticker **ret)
{
	struct hpt_instant now;
	struct hpt_ticker *t;

	if (!ret || period_ns <= 0 || flags & ~HPT_WAIT_EINTR)
		return -EINVAL;
	t = hpt_object_new(sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->waiter.clk = hpt_clock_or_default(clk);
	t->waiter.flags = flags;
	t->period_ns = period_ns;
	hpt_timekeeper_instant(t->waiter.clk, CLOCK_MONOTONIC_RAW, &now);
	t->next_ns = hpt_sum(now.ns, period_ns);
	t->generation = now.generation;
	t->fd = -1;
	t->armed_ns = INT64_MAX;
	*ret = t;
	return 0;
}

void hpt_ticker_free(hpt_ticker *t)
{
	int saved = errno;

	if (t && t->fd >= 0)
		syscall(SYS_close, t->fd); /* close(2) is a cancellation point */
	free(t);
	errno = saved;
}

/* ---- For event loops -------------------------------------------------------------------------------------- */

/* Arms the fd to become readable a margin before the ticker's tick; at once if that is past. */
static void arm(struct hpt_ticker *t, int64_t tick_ns)
{
	struct hpt_clock *clk = t->waiter.clk;
	struct itimerspec its = { 0 };
	int64_t margin_ns = hpt_margin_ns(&t->margin, hpt_policy_worth_ns(hpt_policy_current()), CAP_NS, GUESS_NS);
	int64_t until_ns, rest_ns;
	struct hpt_instant now;
	int saved = errno;

	/* In this order a preemption between the two reads makes the fd readable sooner. */
	until_ns = hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC);
	hpt_timekeeper_instant(clk, CLOCK_MONOTONIC_RAW, &now);
	rest_ns = hpt_sum(hpt_sum(tick_ns, -now.ns), -margin_ns);
	if (rest_ns < 1)
		rest_ns = 1;
	t->armed_ns = hpt_sum(now.ns, rest_ns);
	/* The kernel counts by CLOCK_MONOTONIC, which NTP slews; the tick is on CLOCK_MONOTONIC_RAW's timeline. */
	rest_ns = hpt_scale_round(hpt_scale_round(rest_ns, now.tick_per_ns), now.mono_per_tick);
	until_ns = hpt_sum(until_ns, rest_ns < 1 ? 1 : rest_ns); /* never 0, which would disarm it */
	its.it_value.tv_sec = (time_t)(until_ns / HPT_NS_PER_S);
	its.it_value.tv_nsec = (long)(until_ns % HPT_NS_PER_S);
	timerfd_settime(t->fd, TFD_TIMER_ABSTIME, &its, NULL);
	errno = saved;
}

/* Called when the loop comes to wait for the tick: learns how late it came, from the fd readable to this call. */
static void learn(struct hpt_ticker *t, int64_t now_ns)
{
	if (now_ns < t->armed_ns || now_ns > hpt_sum(t->next_ns, BUSY_NS))
		return;
	hpt_margin_add(&t->margin, now_ns - t->armed_ns, WINDOW);
	t->armed_ns = INT64_MAX;
}

/*
 * Called after a wait, with its result r. armed_for_ns is the tick that the fd was armed for before the wait;
 * INT64_MIN: it was not armed. Arms the fd for the next tick unless it is armed for that. Nothing is learned from an fd
 * that is readable already, because it will not wake the loop.
 */
static void rearm(struct hpt_ticker *t, int64_t armed_for_ns, int r)
{
	if (t->next_ns != armed_for_ns)
		arm(t, t->next_ns);
	if (r < 0 || hpt_now_ns(t->waiter.clk) >= t->armed_ns)
		t->armed_ns = INT64_MAX;
}

int hpt_ticker_fd(hpt_ticker *t)
{
	int saved = errno, r;

	if (!t)
		return -EINVAL;
	if (t->fd < 0) {
		t->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
		if (t->fd >= 0)
			arm(t, t->next_ns);
	}
	r = t->fd < 0 ? -errno : t->fd;
	errno = saved;
	return r;
}

/* ---- Ticks ------------------------------------------------------------------------------------------------- */

/* The number of ticks that are due after next_ns. */
static uint64_t due_after_next(const struct hpt_ticker *t, int64_t now_ns)
{
	return now_ns > t->next_ns ? ((uint64_t)now_ns - (uint64_t)t->next_ns) / (uint64_t)t->period_ns : 0;
}

/*
 * In a new generation hpt_now_ns() may have any value. If it went back so that the next tick is two periods away or
 * more, the ticks restart from now. Otherwise they keep their places on the timeline.
 */
static void follow_back(struct hpt_ticker *t, const struct hpt_instant *now)
{
	if (now->generation == t->generation)
		return;
	t->generation = now->generation;
	if (hpt_sum(hpt_sum(now->ns, -t->next_ns), t->period_ns) <= -t->period_ns)
		t->next_ns = hpt_sum(now->ns, t->period_ns);
}

/* If the timeline jumped ahead during the wait, the skipped ticks are not counted as missed. */
static void follow_ahead(struct hpt_ticker *t)
{
	int64_t now_ns = hpt_now_ns(t->waiter.clk);

	if (due_after_next(t, now_ns))
		t->next_ns = now_ns;
}

/*
 * Returns the number of missed ticks. now_ns is from before the sleep: ticks due during it count in the next wait.
 * With CATCH_UP the ticks due by now count.
 */
static __attribute__((noinline)) uint64_t deliver(struct hpt_ticker *t, int64_t now_ns, uint32_t state)
{
	uint64_t missed;

	if (state)
		follow_ahead(t);
	if (t->policy == HPT_TICKER_CATCH_UP)
		now_ns = hpt_now_ns(t->waiter.clk);
	missed = due_after_next(t, now_ns);
	if (t->policy == HPT_TICKER_SKIP)
		t->next_ns = (int64_t)((uint64_t)t->next_ns + missed * (uint64_t)t->period_ns);
	t->next_ns = hpt_sum(t->next_ns, t->period_ns);
	return missed;
}

int hpt_ticker_wait(hpt_ticker *t, uint64_t *ret_missed)
{
	int64_t left, after_ns, armed_for_ns = INT64_MIN;
	struct hpt_instant now;
	struct hpt_sleeper s;
	uint64_t missed = 0;
	int r = hpt_waiter_begin(t ? &t->waiter : NULL, __builtin_return_address(0), &s);

	if (r)
		return r;
	hpt_timekeeper_instant(s.clk, CLOCK_MONOTONIC_RAW, &now);
	follow_back(t, &now);
	learn(t, now.ns);
	after_ns = hpt_sum(t->next_ns, t->period_ns);
	/* Before the sleep, so that its end is not delayed by a system call. */
	if (t->fd >= 0 && now.ns < t->next_ns)
		arm(t, armed_for_ns = after_ns);
	/* Returns at once if the tick is due. A pending interrupt takes precedence. */
	r = hpt_sleep_on(&s, HPT_DEADLINE_NS, t->next_ns, 1, &left);
	if (r >= 0) {
		if (!r && now.ns < t->next_ns && t->policy == HPT_TICKER_SKIP)
			t->next_ns = after_ns; /* the usual case: touches only code already in the caches */
		else
			missed = deliver(t, now.ns, (uint32_t)r);
		if (ret_missed)
			*ret_missed = missed;
	}
	if (t->fd >= 0)
		rearm(t, armed_for_ns, r);
	return hpt_waiter_end(&t->waiter, r, left);
}

int hpt_ticker_interrupt(hpt_ticker *t)
{
	return hpt_waiter_interrupt(t ? &t->waiter : NULL);
}

int hpt_ticker_set_policy(hpt_ticker *t, uint32_t policy)
{
	if (!t || policy > HPT_TICKER_CATCH_UP)
		return -EINVAL;
	t->policy = policy;
	return 0;
}
