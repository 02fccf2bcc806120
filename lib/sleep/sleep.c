// SPDX-License-Identifier: MIT
/* Sleeps until a deadline: lib/sleep/sleep.h. The time left is recomputed after each wait in the kernel. */
#include "sleep/sleep.h"

#include "hpt/wait.h"

#include <errno.h>
#include <limits.h>

#include "arch/arch.h"
#include "math/units.h"
#include "clock/default.h"
#include "clock/timekeeper.h"
#include "sleep/awake.h"
#include "sleep/deadline.h"
#include "sleep/kernel_phase.h"
#include "sleep/kernel_wait.h"
#include "sleep/look.h"
#include "sleep/manual_phase.h"
#include "sleep/sleep_check.h"

/* The sleep goes on. Differs from every result of a sleep. */
#define SLEEP_AGAIN INT_MIN

/* The sleep goes on, and its deadline has moved away: for what follows too much is left to spin. */
#define FARTHER (INT_MIN + 1)

/* Compares the counter with the kernel's clock. Returns SLEEP_AGAIN, or the result. */
static COLD __attribute__((noinline)) int check_clock(struct hpt_sleep *sl)
{
	if (hpt_sleep_check(sl) < 0)
		return hpt_kernel_wait_by_clock(sl);
	if (!hpt_deadline_is_over(sl))
		return SLEEP_AGAIN;
	hpt_awake_note_late(sl);
	return (int)sl->state;
}

/* Where there are descriptors looks at them until little is left, then spins without. */
static enum hpt_spin_end spin_some(struct hpt_spin *sp)
{
	enum hpt_spin_end end = likely(!sp->s->look) ? HPT_SPIN_REACHED : hpt_look_spin(sp);

	return end == HPT_SPIN_REACHED ? hpt_spin_near(sp) : end;
}

/* Spins until hpt_spin_last() is to take over. Returns SLEEP_AGAIN, FARTHER, or the result. */
static int spin_near(struct hpt_sleep *sl)
{
	int64_t left_ns = hpt_deadline_left_ns(sl);
	int r;

	for (;;) {
		switch (spin_some(&sl->spin)) {
		case HPT_SPIN_REACHED:
			sl->unchecked = hpt_deadline_is_by_os(sl->asked.kind) || sl->state ? 0 : sl->spin.gap;
			return SLEEP_AGAIN;
		case HPT_SPIN_INTERRUPTED:
			return -ECANCELED;
		default:
			r = check_clock(sl);
			if (r != SLEEP_AGAIN)
				return r;
			if (hpt_deadline_left_ns(sl) > left_ns + HPT_LEAST_WAIT_NS)
				return FARTHER;
		}
	}
}

/* Waits in the kernel, then spins. Returns as spin_near(). */
static int wait_and_spin(struct hpt_sleep *sl)
{
	int64_t early_ns = hpt_policy_kind(sl->s->policy) == HPT_SLEEP_NOSPIN ? hpt_policy_cap_ns(sl->s->policy) : 0;
	int64_t left_ns = hpt_deadline_left_ns(sl);
	int r = 0;

	if (left_ns > HPT_LEAST_WAIT_NS || hpt_awake_is_wait_due(sl, left_ns))
		r = hpt_kernel_phase(sl);
	if (r || hpt_deadline_is_over(sl) || (early_ns && hpt_deadline_left_ns(sl) <= early_ns))
		return r ? r : (int)sl->state;
	/* NOSPIN spins only a rest that is too short for the kernel. */
	sl->spin.deadline -= hpt_scale_floor((uint64_t)early_ns, sl->rates.tick_per_ns.whole,
					     sl->rates.tick_per_ns.frac);
	return spin_near(sl);
}

/* Sleeps until the last few hundred nanoseconds: waits, then spins. Returns SLEEP_AGAIN, or the result. */
static HOT __attribute__((noinline)) int sleep_until_near(struct hpt_sleep *sl)
{
	int r;

	hpt_time_scales(sl->s->clk, &sl->rates);
	sl->spin.s = sl->s;
	sl->spin.exits[0] = __builtin_return_address(0);
	sl->spin.reads_ns = sl->asked.kind == HPT_DEADLINE_NS || sl->asked.kind == HPT_DEADLINE_AFTER_NS;
	sl->spin.tick_per_ns = sl->rates.tick_per_ns;
	sl->spin.step = hpt_time_step(sl->s->clk);
	do
		r = wait_and_spin(sl);
	while (r == FARTHER);
	return r;
}

static int64_t asked_now_ns(hpt_clock *clk, enum hpt_deadline_kind kind)
{
	switch (kind) {
	case HPT_DEADLINE_MONOTONIC_NS:
		return hpt_now_monotonic_ns(clk);
	case HPT_DEADLINE_BOOTTIME_NS:
		return hpt_now_boottime_ns(clk);
	case HPT_DEADLINE_TAI_NS:
		return hpt_now_tai_ns(clk);
	default:
		return hpt_now_unix_ns(clk);
	}
}

/* True if the kernel's clock is before the deadline: during the spin it stepped, or its line got another slope. */
static bool is_early(const struct hpt_sleep *sl)
{
	return hpt_deadline_is_by_os(sl->asked.kind) && !sl->state &&
	       asked_now_ns(sl->s->clk, sl->asked.kind) < sl->asked.at;
}

/* Checks an end of the spin that the fast path does not take. Returns SLEEP_AGAIN, or the result. */
static COLD __attribute__((noinline)) int check_end(struct hpt_sleep *sl, enum hpt_spin_end end)
{
	int r;

	if (end == HPT_SPIN_INTERRUPTED)
		return -ECANCELED;
	if (end == HPT_SPIN_REACHED && (int64_t)(sl->spin.now - sl->spin.deadline) <= (int64_t)sl->spin.gap &&
	    !is_early(sl))
		return (int)sl->state;
	r = check_clock(sl);
	return r == SLEEP_AGAIN ? sleep_until_near(sl) : r;
}

/*
 * Inlined into each function that returns to the program, so that only a few instructions and one return lie between
 * the deciding read and the program. As a function of its own it added 30 ns to sleeps below a jiffy, 100 ns above.
 */
static inline __attribute__((always_inline)) int sleep_on(struct hpt_sleep *sl)
{
	int r;

	/* An interrupt takes precedence over the deadline, even over a past one. */
	if (hpt_sleeper_is_interrupted(sl->s))
		return -ECANCELED;
	/* A duration that the call used up counts as a spin: a thread that repeats it runs without a pause. */
	if (hpt_deadline_is_over(sl) && likely(!sl->s->first || !hpt_awake_is_wait_due(sl, 0)))
		return (int)sl->state;
	r = sleep_until_near(sl);
	while (r == SLEEP_AGAIN) {
		enum hpt_spin_end end = hpt_spin_last(&sl->spin);

		if (likely(end == HPT_SPIN_REACHED && sl->spin.now - sl->spin.until < sl->unchecked))
			return HPT_STATE_OK;
		r = check_end(sl, end);
	}
	return r;
}

static inline void set_deadline(struct hpt_sleep *sl, int64_t at)
{
	hpt_deadline_start(sl, at);
	if (hpt_deadline_is_on_timeline(&sl->asked))
		hpt_sleep_place(sl);
}

/* The record's sequence is loaded before the counter is read: an event that another thread then finds is noticed. */
HOT int hpt_sleep_on(const struct hpt_sleeper *s, enum hpt_deadline_kind kind, int64_t at, int64_t *ret_left)
{
	uint32_t seen = hpt_seqlatch_begin(&s->clk->latch);
	uint64_t now = hpt_source_now(&s->clk->src);
	struct hpt_sleep sl = { .s = s, .asked.kind = kind, .spin.now = now, .watch.seen = seen };
	int r;

	if (unlikely(s->clk->src.own_time))
		return hpt_manual_sleep(s, kind, at, now, ret_left);
	sl.spin.exits[1] = __builtin_return_address(0);
	set_deadline(&sl, at);
	r = sleep_on(&sl);
	if (__builtin_sub_overflow((int64_t)sl.spin.deadline, (int64_t)sl.spin.now, ret_left))
		*ret_left = hpt_deadline_is_over(&sl) ? -INT64_MAX : INT64_MAX;
	return r;
}

/* A sleep that nothing can interrupt. The functions below jump here, so that it returns straight to the program. */
static HOT __attribute__((noinline)) int sleep_alone(hpt_clock *clk, enum hpt_deadline_kind kind, int64_t at,
						     uint64_t first)
{
	uint32_t seen = hpt_seqlatch_begin(&(clk = hpt_clock_or_default(clk))->latch);
	uint64_t now = hpt_source_now(&clk->src);
	struct hpt_sleeper s = {
		.clk = clk, .policy = hpt_policy_current(), .exit = __builtin_return_address(0), .first = first,
	};
	struct hpt_sleep sl = { .s = &s, .asked.kind = kind, .spin.now = now, .watch.seen = seen };

	if (unlikely(clk->src.own_time))
		return hpt_manual_sleep(&s, kind, at, now, &(int64_t){ 0 });
	sl.spin.exits[1] = s.exit;
	set_deadline(&sl, at);
	return sleep_on(&sl);
}

/* For a duration. It begins at the call's first instructions, not after the cache misses of the rest. */
static inline uint64_t first_tick(const hpt_clock *clk, int64_t amount)
{
	return likely(amount > 0) ? hpt_default_first_tick(clk) : 0;
}

/* ---- Public --------------------------------------------------------------------------------------------- */

HOT int hpt_sleep_ns(hpt_clock *clk, int64_t amount)
{
	return sleep_alone(clk, HPT_DEADLINE_AFTER_NS, amount, first_tick(clk, amount));
}

HOT int hpt_sleep_until_ticks(hpt_clock *clk, hpt_time_t deadline)
{
	return sleep_alone(clk, HPT_DEADLINE_TICK, deadline, 0);
}

HOT int hpt_sleep_until_ns(hpt_clock *clk, int64_t ns)
{
	return sleep_alone(clk, HPT_DEADLINE_NS, ns, 0);
}

HOT int hpt_sleep_until_unix_ns(hpt_clock *clk, int64_t unix_ns)
{
	return sleep_alone(clk, HPT_DEADLINE_UNIX_NS, unix_ns, 0);
}

HOT int hpt_sleep_until_os_ns(hpt_clock *clk, int32_t clockid, int64_t at)
{
	enum hpt_deadline_kind kind;
	int r = hpt_deadline_kind_by(clockid, &kind);

	return r ? r : sleep_alone(clk, kind, at, 0);
}
