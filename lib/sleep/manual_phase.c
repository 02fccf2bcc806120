// SPDX-License-Identifier: MIT
/* Sleeps on a manual clock: lib/sleep/manual_phase.h. */
#include "sleep/manual_phase.h"

#include <errno.h>

#include "source/own_time.h"
#include "sleep/look.h"

/* Saturates; a clock never reaches INT64_MAX. */
static COLD int64_t narrow(struct hpt_wide ticks)
{
	int64_t t = hpt_wide_is_negative(ticks) ? INT64_MIN : INT64_MAX;

	hpt_wide_narrow(ticks, &t);
	return t;
}

static int64_t deadline_of(const struct hpt_source *src, enum hpt_deadline_kind kind, int64_t at, int64_t now)
{
	struct hpt_wide ticks;

	switch (kind) {
	case HPT_DEADLINE_TICK:
		return at;
	case HPT_DEADLINE_AFTER_NS:
		if (at == INT64_MAX) /* for ever, also from below tick 0 */
			return INT64_MAX;
		ticks = src->own_time->tick_at(src, hpt_wide_of(at));
		return narrow(hpt_wide_add(hpt_wide_of(now), ticks));
	default:
		return narrow(src->own_time->tick_at(src, hpt_wide_of(at)));
	}
}

/* Nothing wakes a thread both for a change of the clock and for its descriptors, at which it looks so often. */
#define LOOK_AGAIN_NS 1000000

/*
 * Waits for the eventcount to change from value. Without descriptors there is no time-out, but a wait without one would
 * go on after a signal handler of SA_RESTART.
 */
static COLD int wait_for_change(struct hpt_manual *m, uint32_t value, const struct hpt_sleeper *s)
{
	const struct hpt_env *env = s->clk->src.env;
	int saved = errno, r;

	if (!hpt_manual_enter(m, value, env))
		return 0;
	hpt_eventcount_enter(&m->eventcount);
	r = env->wait(hpt_eventcount_futex(&m->eventcount), value, s->look ? HPT_DURATION : CLOCK_MONOTONIC,
		      s->look ? LOOK_AGAIN_NS : INT64_MAX);
	hpt_eventcount_leave(&m->eventcount);
	hpt_manual_leave(m, value);
	errno = saved;
	return r;
}

/*
 * An interrupt notifies the sleeper's own eventcount and then the clock's; an advance changes the tick and then
 * notifies the clock's. A sleeper loads the clock's first and then looks at the others. So either it sees the change,
 * or the value that it waits by is an old one.
 */
static COLD int sleep_until(const struct hpt_sleeper *s, int64_t deadline, int64_t *ret_left)
{
	const struct hpt_source *src = &s->clk->src;
	struct hpt_manual *m = hpt_manual_of(src);
	int r = 0;

	for (;;) {
		uint32_t value = hpt_eventcount_value(&m->eventcount);
		int64_t now = (int64_t)src->read(src);

		*ret_left = narrow(hpt_wide_subtract(hpt_wide_of(deadline), hpt_wide_of(now)));
		if (hpt_sleeper_is_interrupted(s) || (s->look && hpt_look_for(s, 0) == -ECANCELED))
			return -ECANCELED;
		if (now >= deadline)
			return 0;
		if (r == -EINTR && s->flags & HPT_WAIT_EINTR)
			return r;
		r = wait_for_change(m, value, s);
	}
}

COLD int hpt_manual_sleep(const struct hpt_sleeper *s, enum hpt_deadline_kind kind, int64_t at, uint64_t now,
			  int64_t *ret_left)
{
	return sleep_until(s, deadline_of(&s->clk->src, kind, at, (int64_t)now), ret_left);
}
