/* SPDX-License-Identifier: MIT */
/* One sleep: kernel stages with learned margins, then a spin that ends on the deadline. */
#ifndef HPT_SLEEP_INTERNAL_H
#define HPT_SLEEP_INTERNAL_H

#include <stdint.h>

#include "sleep/eventcount.h"
#include "clock/clock.h"
#include "sleep/policy.h"

/* Who sleeps, and what may end it before its time. */
struct hpt_sleeper {
	struct hpt_clock *clk;
	struct hpt_eventcount *eventcount;    /* NULL: nobody can */
	uint32_t key;             /* the bell's value while it is not rung */
	uint32_t flags;           /* HPT_WAIT_ */
	struct hpt_policy policy;
	const void *exit;         /* code that runs next: __builtin_return_address(0) of the public function */
};

/*
 * Counter and CLOCK_MONOTONIC have parted if they differ by more than this and this share of the time. NTP bends
 * CLOCK_MONOTONIC by up to 0.05 %, chronyd by up to 10 % if so told (maxslewrate).
 */
#define HPT_DIVERGED_NS    1000000
#define HPT_DIVERGED_SHARE 8

/* What a deadline is counted in. */
enum hpt_deadline_kind {
	HPT_DEADLINE_TICK,
	HPT_DEADLINE_AFTER_TICKS, /* of the call */
	HPT_DEADLINE_NS,       /* on hpt_now_ns()'s line */
	HPT_DEADLINE_AFTER_NS,    /* of the call, in units of unit_ns */
	HPT_DEADLINE_UNIX_NS,
};

/*
 * Returns 0, or HPT_STATE_ where counter and clock parted, or -ECANCELED (the bell was rung; it is left as it is) or
 * -EINTR. *ret_left is set where it returns: ticks that were left, 0 at or behind the deadline.
 */
int hpt_sleep_on(const struct hpt_sleeper *s, enum hpt_deadline_kind kind, int64_t at, uint64_t unit_ns,
		 int64_t *ret_left);

static inline bool hpt_sleeper_is_interrupted(const struct hpt_sleeper *s)
{
	return s->eventcount && atomic_load_explicit(&s->eventcount->value, memory_order_acquire) != s->key;
}

/* Something like libfaketime may stand in for libc's clocks: where it does the OS clock is the source. */
bool hpt_is_interposed(const struct hpt_clock *clk);

/* The clock that the kernel waits by. Where libc's may be another the kernel itself is asked, if it answers. */
int64_t hpt_kernel_ns(const struct hpt_clock *clk, clockid_t id);

/* The sum, or the end of the range. */
static inline int64_t hpt_sum(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

#endif
