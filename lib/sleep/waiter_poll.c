// SPDX-License-Identifier: MIT
/* Waits for descriptors that end on time: sleeps on a waiter that look at them, in the kernel and in the spin. */
#include "hpt/wait.h"

#include "arch/arch.h"
#include "sleep/habits.h"
#include "sleep/last_word.h"
#include "sleep/look.h"
#include "sleep/wait_margins.h"
#include "sleep/waiter.h"

/* In the spin, or as near to the deadline as the guess of a margin. */
static bool has_come_near(const struct hpt_waiter *w, const struct hpt_look *look, int64_t left)
{
	return look->is_near || (left > 0 && hpt_ticks_to_ns(w->clk, left) <= HPT_WAIT_MARGINS_GUESS_NS);
}

static void note_event(const struct hpt_waiter *w, const struct hpt_look *look, int64_t left)
{
	if (has_come_near(w, look, left) && !w->clk->src.own_time)
		hpt_look_note_end(look, hpt_habits_claim(), true);
}

/* Not early on the timeline, and at least one look. */
static int sleep_and_look(const struct hpt_sleeper *s, int64_t at, int64_t *ret_left)
{
	int r;

	do
		r = hpt_sleep_on(s, HPT_DEADLINE_NS, at, ret_left);
	while (unlikely(r > 0) && !hpt_last_word_is_kernels(s->clk, HPT_DEADLINE_NS));
	if (r >= 0 && !s->look->has_looked)
		r = hpt_look_for(s, 0);
	return r;
}

/*
 * Another thread has begun an interrupt: its descriptor, if that is one of those waited for, ends each wait at once
 * until the interrupt is counted. A thread of a real-time class would never let the other one do that.
 */
#define AWAIT_BEGUN_NS 1000000

static COLD __attribute__((noinline)) void await_begun(const struct hpt_waiter *w, struct hpt_sleeper s, int64_t at)
{
	int64_t until_ns = hpt_sum(hpt_now_ns(w->clk), AWAIT_BEGUN_NS), left;

	s.look = NULL;
	s.policy = hpt_policy_never_early((struct hpt_policy){ HPT_SLEEP_NOSPIN });
	(void)hpt_sleep_on(&s, HPT_DEADLINE_NS, at < until_ns ? at : until_ns, &left);
}

/* Where events end most waits one is probably there: then nothing else is asked of the kernel. */
static bool finds_at_once(const struct hpt_sleeper *s)
{
	return unlikely(hpt_habits_events_end_waits(hpt_habits_known())) && !hpt_sleeper_is_interrupted(s) &&
	       hpt_look_for(s, 0) == -ECANCELED && s->look->result;
}

static int begin_and_wait(const struct hpt_waiter *w, const struct hpt_sleeper *s, int64_t at, int64_t *ret_left)
{
	if (unlikely(hpt_own_fd_is_begun(&w->own, &w->eventcount)) && !w->clk->src.own_time)
		await_begun(w, *s, at);
	if (!finds_at_once(s))
		return sleep_and_look(s, at, ret_left);
	*ret_left = hpt_ns_to_ticks(w->clk, hpt_sum(at, -hpt_now_ns(w->clk)));
	return -ECANCELED;
}

/* The functions below jump here. Events come before an interrupt, which stays pending. */
static HOT __attribute__((noinline)) int wait_until_ns(hpt_waiter *w, struct hpt_look *look, int64_t at)
{
	struct hpt_sleeper s;
	int64_t left = 0;
	int r = hpt_waiter_begin(w, __builtin_return_address(0), &s);

	if (r)
		return r;
	s.look = look;
	s.policy = hpt_policy_never_early(s.policy);
	r = begin_and_wait(w, &s, at, &left);
	if (look->result)
		r = look->result;
	else if (r == -ECANCELED)
		hpt_waiter_take_interrupt(w);
	else if (r == -ETIMEDOUT || r > 0)
		r = 0;
	if (r > 0)
		note_event(w, look, left);
	hpt_waiter_leave(w, r && at == INT64_MAX ? INT64_MAX : left);
	return r;
}

int hpt_waiter_poll_until_ns(hpt_waiter *w, struct pollfd *fds, uint32_t n, int64_t at)
{
	struct hpt_look look = { .fds = { .fds = fds, .n = n } };

	return wait_until_ns(w, &look, at);
}

int hpt_waiter_epoll_until_ns(hpt_waiter *w, int epfd, struct epoll_event *events, uint32_t max, int64_t at)
{
	struct hpt_look look = { .fds = { .events = events, .n = max, .epfd = epfd, .is_epoll = true } };

	return wait_until_ns(w, &look, at);
}
