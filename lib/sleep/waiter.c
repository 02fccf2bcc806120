// SPDX-License-Identifier: MIT
/* Waiters: one thread sleeps, any thread may interrupt. An interrupt is pending until it ends a sleep or is cleared. */
#include "hpt/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "machine/bell.h"
#include "source/own_time.h"
#include "clock/default.h"
#include "sleep/waiter.h"

COLD void *hpt_object_new(size_t size)
{
	int saved = errno;
	void *object = aligned_alloc(_Alignof(struct hpt_eventcount), size);

	(void)hpt_process(); /* makes system calls, and a sandbox may begin before the first sleep */
	if (object)
		memset(object, 0, size);
	errno = saved;
	return object;
}

HOT int hpt_waiter_begin(struct hpt_waiter *w, const void *exit, struct hpt_sleeper *ret)
{
	int r = w ? hpt_waiter_claim(w) : -EINVAL;

	if (r)
		return r;
	*ret = (struct hpt_sleeper){
		.clk = w->clk, .eventcount = &w->eventcount,
		.key = atomic_load_explicit(&w->seen, memory_order_relaxed),
		.flags = w->flags, .exit = exit,
		.policy = hpt_object_policy_current(&w->policy),
	};
	return 0;
}

COLD int hpt_waiter_new(hpt_clock *clk, uint32_t flags, hpt_waiter **ret)
{
	struct hpt_waiter *w;

	if (!ret || flags & ~(uint32_t)HPT_WAIT_EINTR)
		return -EINVAL;
	w = hpt_object_new(sizeof(*w));
	if (!w)
		return -ENOMEM;
	w->clk = hpt_clock_ref(clk);
	w->flags = flags;
	*ret = w;
	return 0;
}

COLD void hpt_waiter_free(hpt_waiter *w)
{
	if (!w)
		return;
	hpt_own_fd_close(&w->own);
	hpt_clock_close(w->clk);
	free(w);
}

COLD hpt_clock *hpt_waiter_clock(hpt_waiter *w)
{
	return w ? w->clk : NULL;
}

/* The functions below jump here, so that it returns straight to the program. */
static HOT __attribute__((noinline)) int waiter_sleep(hpt_waiter *w, enum hpt_deadline_kind kind, int64_t at,
						  uint64_t first)
{
	struct hpt_sleeper s;
	int64_t left;
	int r = hpt_waiter_begin(w, __builtin_return_address(0), &s);

	if (r)
		return r;
	s.first = first;
	r = hpt_sleep_on(&s, kind, at, &left);
	return hpt_waiter_end(w, r, at < INT64_MAX ? left : INT64_MAX);
}

HOT int hpt_waiter_sleep_ns(hpt_waiter *w, int64_t ns)
{
	/* Before the waiter is claimed and the clock's cache lines are touched. */
	uint64_t first = w && ns > 0 ? hpt_default_first_tick(w->clk) : 0;

	return waiter_sleep(w, HPT_DEADLINE_AFTER_NS, ns, first);
}

int hpt_waiter_sleep_until_ticks(hpt_waiter *w, hpt_time_t deadline)
{
	return waiter_sleep(w, HPT_DEADLINE_TICK, deadline, 0);
}

int hpt_waiter_sleep_until_ns(hpt_waiter *w, int64_t ns)
{
	return waiter_sleep(w, HPT_DEADLINE_NS, ns, 0);
}

int hpt_waiter_sleep_until_unix_ns(hpt_waiter *w, int64_t unix_ns)
{
	return waiter_sleep(w, HPT_DEADLINE_UNIX_NS, unix_ns, 0);
}

int hpt_waiter_sleep_until_os_ns(hpt_waiter *w, int32_t clockid, int64_t at)
{
	enum hpt_deadline_kind kind;
	int r = hpt_deadline_kind_by(clockid, &kind);

	return r ? r : waiter_sleep(w, kind, at, 0);
}

void hpt_waiter_notify(struct hpt_waiter *w)
{
	const struct hpt_env *env = w->clk->src.env;
	struct hpt_eventcount *of_clock = hpt_own_time_eventcount(&w->clk->src);
	uint32_t sleepers = hpt_eventcount_notify(&w->eventcount, 1, env); /* the last access to *w, and to its clock */

	hpt_bell_ring_for(sleepers, env);
	hpt_own_time_notify(of_clock, env);
}

int hpt_waiter_interrupt(hpt_waiter *w)
{
	if (!w)
		return -EINVAL;
	hpt_own_fd_begin_interrupt(&w->own, &w->eventcount);
	hpt_own_fd_ring(&w->own);
	hpt_waiter_notify(w);
	return 0;
}

void hpt_waiter_take_interrupt(struct hpt_waiter *w)
{
	hpt_waiter_acknowledge(w);
	if (unlikely(atomic_load(&w->own.word)))
		hpt_own_fd_follow(&w->own, &w->eventcount, &w->seen);
}

int hpt_waiter_clear(hpt_waiter *w)
{
	if (!w)
		return -EINVAL;
	if (hpt_eventcount_value(&w->eventcount) != atomic_load(&w->seen))
		hpt_waiter_take_interrupt(w);
	return 0;
}

int hpt_waiter_remaining_ns(hpt_waiter *w, int64_t *ret)
{
	int64_t left;

	if (!w || !ret)
		return -EINVAL;
	left = atomic_load_explicit(&w->left, memory_order_relaxed);
	*ret = left == INT64_MAX ? INT64_MAX : hpt_ticks_to_ns(w->clk, left);
	return 0;
}

COLD int hpt_waiter_set_policy(hpt_waiter *w, uint32_t policy, int64_t max_spin_ns)
{
	return w ? hpt_object_policy_set(&w->policy, policy, max_spin_ns) : -EINVAL;
}
