// SPDX-License-Identifier: MIT
/* A ticker's descriptor: readable a margin before each tick, and on an interrupt. */
#include <errno.h>
#include <sys/timerfd.h>

#include "arch/arch.h"
#include "machine/timerfd.h"
#include "sleep/ticker_fd.h"

/*
 * The margin of the kernel's wake of an event loop. The guess and the cap are wait_margins.c's for long waits, the
 * window is its one for brief waits. The policy's cap holds too: the loop does nothing else for the whole margin.
 */
#define GUESS_NS 150000
#define FD_CAP_NS   1000000
#define FD_WINDOW   512

/* An event loop that comes later than this was busy, which says nothing about how late it was woken. */
#define BUSY_NS 16000000

/* The first nanosecond of CLOCK_MONOTONIC: always past. */
#define AT_ONCE_NS 1

/* ---- The descriptor and its timer ------------------------------------------------------------------------ */

static void set_timer(int fd, int flags, int64_t ns)
{
	int saved = errno;

	(void)hpt_timerfd_set(fd, flags, ns);
	errno = saved;
}

/*
 * Sets the timer to a margin before the tick; at once if that is past. Looks for interrupts after that, so that setting
 * the timer never takes one's effect away. Returns when it will be readable, on hpt_now_ns()'s timeline.
 */
static int64_t arm(struct hpt_ticker *t, int fd, int64_t tick_ns, int64_t margin_ns)
{
	struct hpt_clock *clk = t->waiter.clk;
	int64_t until_ns, rest_ns, armed_ns;
	struct hpt_instant now;
	bool is_absolute;

	/* In this order a preemption between the two reads makes the descriptor readable sooner. */
	until_ns = hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC);
	hpt_timekeeper_instant(clk, CLOCK_MONOTONIC_RAW, &now);
	rest_ns = hpt_sum(hpt_sum(tick_ns, -now.ns), -margin_ns);
	if (rest_ns < 1)
		rest_ns = 1;
	armed_ns = hpt_sum(now.ns, rest_ns);
	/* The kernel counts by CLOCK_MONOTONIC, which NTP slews; the tick is on CLOCK_MONOTONIC_RAW's timeline. */
	rest_ns = hpt_scale_round(hpt_scale_round(rest_ns, now.tick_per_ns), now.mono_per_tick);
	/* Where no clock can be read, for a duration; but the OS clock's ticks are the kernel's own times. */
	is_absolute = until_ns || clk->src.rate.origin == HPT_ORIGIN_EXACT;
	/* Never 0, which would disarm it. */
	set_timer(fd, is_absolute ? TFD_TIMER_ABSTIME : 0, hpt_sum(until_ns, rest_ns < 1 ? 1 : rest_ns));
	if (hpt_own_fd_is_rung(&t->waiter.own, &t->waiter.eventcount, &t->waiter.seen))
		set_timer(fd, TFD_TIMER_ABSTIME, AT_ONCE_NS);
	return armed_ns;
}

static int64_t next_ns(const struct hpt_ticker *t)
{
	int64_t due_ns = atomic_load_explicit(&t->due_ns, memory_order_relaxed);

	return due_ns == HPT_TICKER_SPENT ? INT64_MAX : due_ns;
}

/* ---- Around a wait --------------------------------------------------------------------------------------- */

static int64_t cap_ns(struct hpt_policy p)
{
	return hpt_policy_cap_ns(p) < FD_CAP_NS ? hpt_policy_cap_ns(p) : FD_CAP_NS;
}

static int64_t margin_ns(const struct hpt_ticker *t)
{
	struct hpt_policy p = hpt_object_policy_current(&t->waiter.policy);

	return hpt_margin_ns(&t->margin, hpt_policy_price(p), cap_ns(p), GUESS_NS);
}

/* For threads that may not look at what the waiting thread has learned. */
static int64_t guess_ns(const struct hpt_ticker *t)
{
	int64_t most_ns = cap_ns(hpt_object_policy_current(&t->waiter.policy));

	return GUESS_NS < most_ns ? GUESS_NS : most_ns;
}

/* Called when the loop comes to wait for the tick: learns how late it came, from the fd readable to this call. */
static void learn_wake(struct hpt_ticker *t, int64_t now_ns, int64_t due_ns)
{
	if (now_ns < t->armed_ns || now_ns > hpt_sum(due_ns, BUSY_NS))
		return;
	hpt_margin_add(&t->margin, now_ns - t->armed_ns, FD_WINDOW);
	t->armed_ns = INT64_MAX;
}

int64_t hpt_ticker_fd_before(struct hpt_ticker *t, int64_t now_ns, int64_t due_ns, int64_t after_ns)
{
	int fd = hpt_own_fd_get(&t->waiter.own);

	if (fd < 0)
		return INT64_MIN;
	learn_wake(t, now_ns, due_ns);
	if (now_ns >= due_ns)
		return INT64_MIN;
	/* Before the sleep, so that its end is not delayed by a system call. */
	t->armed_ns = arm(t, fd, after_ns, margin_ns(t));
	return after_ns;
}

/* Nothing is learned from a descriptor that is readable already, because it will not wake the loop. */
void hpt_ticker_fd_after(struct hpt_ticker *t, int64_t armed_for_ns, int r)
{
	int fd = hpt_own_fd_get(&t->waiter.own);

	if (fd < 0)
		return;
	if (r < 0 || next_ns(t) != armed_for_ns)
		t->armed_ns = arm(t, fd, next_ns(t), margin_ns(t));
	if (r < 0 || hpt_now_ns(t->waiter.clk) >= t->armed_ns)
		t->armed_ns = INT64_MAX;
}

/* ---- Any thread ----------------------------------------------------------------------------------------- */

void hpt_ticker_fd_ring(struct hpt_ticker *t)
{
	int fd = hpt_own_fd_get(&t->waiter.own);

	if (fd >= 0)
		set_timer(fd, TFD_TIMER_ABSTIME, AT_ONCE_NS);
}

static int make_timer(void)
{
	return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

/*
 * Armed after it is published, so that it looks for interrupts that have found no descriptor. Only the waiting thread
 * knows the margin; if it reaches a tick meanwhile the descriptor is readable early.
 */
COLD int hpt_ticker_fd(hpt_ticker *t)
{
	bool is_new;
	int fd;

	if (!t)
		return -EINVAL;
	if (t->waiter.clk->src.own_time)
		return -ENOTSUP;
	fd = hpt_own_fd_make(&t->waiter.own, make_timer, &is_new);
	if (is_new)
		arm(t, fd, next_ns(t), guess_ns(t));
	return fd;
}
