// SPDX-License-Identifier: MIT
/* The part of a sleep that is spent in the kernel: waits that end early by margins which each thread learns. */
#include "sleep/kernel_phase.h"

#include <errno.h>

#include "arch/arch.h"
#include "clock/clock.h"
#include "sleep/awake.h"
#include "sleep/deadline.h"
#include "sleep/habits.h"
#include "sleep/kernel_wait.h"
#include "sleep/look.h"
#include "sleep/place.h"
#include "sleep/relax.h"
#include "sleep/slack.h"
#include "sleep/slice.h"
#include "sleep/sleep_check.h"
#include "sleep/spin_limits.h"
#include "sleep/trial.h"
#include "sleep/wait_margins.h"

/* The longest wait while no rate is known, which two samples half a millisecond apart change. */
#define LEARN_WAIT_NS 1000000

/* The longest spin of HPT_SLEEP_SPIN where a signal handler is to end the sleep. */
#define EINTR_SPIN_NS 1000000

/* A kernel phase under way. */
struct phase {
	struct hpt_policy policy;  /* the sleep's, or NOSPIN where spins are forbidden or of no use now */
	struct hpt_place place;
	struct hpt_wait_margins margins;
	bool is_beside;            /* other threads sleep, so that a spin needs a place ... */
	bool is_place_due;         /* ... once the deadline is near */
	bool is_forbidden;         /* to spin, by the limits of CPU time: policy is another than the sleep's */
	bool is_plain;             /* forbidden, or without a place among many: waits with the thread's own slack */
	bool must_wait;            /* the sleep is too short for a wait, but may not spin */
	bool must_block;           /* a wait is due, also in a sleep that is too short for one */
	struct hpt_habits *habits; /* the thread's; NULL: nothing is learned */
};

/* A wait that has ended. */
struct wake {
	int64_t waited_ns, late_ns;
	int64_t left_ns;           /* until the deadline */
	bool was_long;             /* another wait was to follow */
};

static void learn_lateness(const struct hpt_sleep *sl, const struct phase *p, const struct wake *wake)
{
	struct hpt_habits *h = p->habits;
	bool had_slice = h && hpt_contention_needs_slice(&h->contention);

	if (!h)
		return;
	hpt_slack_note_wake(h, p->margins.slack_ns, wake->late_ns, wake->left_ns);
	hpt_wait_margins_learn(&p->margins, h, wake->late_ns, wake->was_long);
	hpt_contention_note(&h->contention, wake->waited_ns, wake->late_ns);
	if (unlikely(hpt_contention_needs_slice(&h->contention) && !had_slice))
		hpt_slice_ask(sl->s->clk->src.env, &h->slice);
	else if (unlikely(h->slice.is_short && wake->late_ns > HPT_CONTENTION_QUEUED_NS))
		hpt_slice_check(sl->s->clk->src.env, &h->slice);
	if (wake->left_ns < 0) {
		h->oversleeps++;
		h->oversleep_ns += (uint64_t)-wake->left_ns;
	}
}

/* While no rate is known a wait until a tick is short, because its end is a guess. */
static int64_t clock_end_ns(const struct hpt_sleep *sl, int64_t ahead_ns, bool *ret_is_cut)
{
	int64_t until_ns = hpt_sum(sl->end.ns, -ahead_ns), most_ns = INT64_MAX;

	if (sl->end.is_learning && sl->asked.kind == HPT_DEADLINE_TICK)
		most_ns = hpt_sum(hpt_clock_kernel_ns(sl->s->clk, CLOCK_MONOTONIC), LEARN_WAIT_NS);
	*ret_is_cut = until_ns > most_ns;
	return *ret_is_cut ? most_ns : until_ns;
}

/* By the clock of the wait. */
static int64_t wait_end_ns(const struct hpt_sleep *sl, int64_t ahead_ns, bool *ret_is_cut)
{
	if (!hpt_deadline_is_by_os(sl->asked.kind))
		return clock_end_ns(sl, ahead_ns, ret_is_cut);
	return hpt_kernel_wait_end_ns(sl, hpt_sum(sl->asked.at, sl->end.os_ahead_ns - ahead_ns), ret_is_cut);
}

/*
 * Where a wait is due its length is not left to chance, since much time may have passed since the check. Returns the
 * length. *ret_is_cut: the end is another than the margin's, so that its lateness teaches nothing.
 */
static COLD __attribute__((noinline)) int64_t block(const struct hpt_sleep *sl, clockid_t id, int64_t *until_ns,
						    bool *ret_is_cut)
{
	int64_t now_ns = hpt_clock_kernel_ns(sl->s->clk, id), least_ns = hpt_sum(now_ns, HPT_AWAKE_BLOCK_FOR_NS);

	if (*until_ns < least_ns) {
		*until_ns = least_ns;
		*ret_is_cut = true;
	}
	return hpt_sum(*until_ns, -now_ns);
}

/*
 * Waits once and learns how late it was. *left_ns is the time left, before and after. Returns 0: go on; HPT_STATE_: the
 * sleep is over; -ECANCELED, -EINTR, or the error by which the kernel refuses to wait.
 */
static int wait_and_learn(struct hpt_sleep *sl, struct phase *p, int64_t *left_ns)
{
	const struct hpt_wait_margins *m = &p->margins;
	int64_t ahead_ns = hpt_wait_margins_ahead_ns(m, *left_ns);
	struct wake wake = { .waited_ns = *left_ns - ahead_ns - m->slack_ns,
			     .was_long = hpt_wait_margins_are_two(m, *left_ns) };
	clockid_t id = hpt_kernel_wait_clock(sl);
	bool is_cut = false;
	int64_t until_ns, gained;
	int r;

	if (p->habits)
		p->habits->waits++;
	until_ns = wait_end_ns(sl, ahead_ns + m->slack_ns, &is_cut);
	if (p->must_block)
		wake.waited_ns = block(sl, id, &until_ns, &is_cut);
	p->must_block = false;
	r = hpt_kernel_wait(sl, id, until_ns);
	if (r == -ECANCELED) { /* the program waits for this return: no check, nothing learned */
		sl->spin.now = sl->s->clk->src.read(&sl->s->clk->src);
		return r;
	}
	gained = hpt_sleep_check(sl);
	wake.left_ns = *left_ns = hpt_deadline_left_ns(sl);
	wake.late_ns = ahead_ns - *left_ns;
	if (r == -ETIMEDOUT) {
		r = 0;
		hpt_awake_note_block(sl, p->habits, wake.waited_ns);
		if (!gained && !is_cut)
			learn_lateness(sl, p, &wake);
		if (!p->is_plain) /* such a wait has the thread's slack */
			hpt_awake_note_late(sl);
	}
	return gained < 0 && r != -EINTR ? hpt_kernel_wait_by_clock(sl) : r;
}

/* True if a wait fits before the margin. */
static bool is_worth_waiting(const struct phase *p, int64_t left_ns)
{
	return left_ns > p->margins.brief_ns + p->margins.slack_ns + HPT_LEAST_WAIT_NS;
}

static int wait_in_turn(struct hpt_sleep *sl, struct phase *p, int64_t left_ns)
{
	int r;

	do
		r = wait_and_learn(sl, p, &left_ns);
	while (!r && !hpt_deadline_is_over(sl) && is_worth_waiting(p, left_ns));
	return r;
}

/* A plain wait has the thread's slack, as the kernel's own sleep has, and is as late. */
static COLD int wait_without_slack(struct hpt_sleep *sl, struct phase *p, int64_t left_ns)
{
	const struct hpt_env *env = sl->s->clk->src.env;
	int64_t slack_ns;
	int r;

	if (p->is_plain)
		return wait_in_turn(sl, p, left_ns);
	slack_ns = hpt_slack_drop(env, p->habits);
	r = wait_in_turn(sl, p, left_ns);
	hpt_slack_restore(env, p->habits, slack_ns);
	return r;
}

/*
 * True if the slack is small, so that waits allow for it. The rest that an early wake then leaves is spun, which NOSPIN
 * must not; some sleeps are too short for it; and a wait that is due may end after the deadline.
 */
static bool allows_for_slack(const struct hpt_sleep *sl, struct phase *p, int64_t left_ns)
{
	if (hpt_policy_kind(p->policy) == HPT_SLEEP_NOSPIN || p->must_block)
		return false;
	p->margins.slack_ns = hpt_slack_small_ns(sl->s->clk->src.env, p->habits);
	if (p->margins.slack_ns && is_worth_waiting(p, left_ns))
		return true;
	p->margins.slack_ns = 0;
	return false;
}

/*
 * Waits until no more than the margin, the slack that is allowed for and HPT_LEAST_WAIT_NS are left. Returns as
 * hpt_kernel_phase().
 */
static int wait_until_near(struct hpt_sleep *sl, struct phase *p)
{
	int64_t left_ns = hpt_deadline_left_ns(sl);
	int r;

	if (allows_for_slack(sl, p, left_ns)) {
		r = wait_in_turn(sl, p, left_ns);
		p->margins.slack_ns = 0;
		left_ns = hpt_deadline_left_ns(sl);
		if (!r && is_worth_waiting(p, left_ns)) /* another timer ended the wait */
			r = wait_without_slack(sl, p, left_ns);
	} else {
		r = wait_without_slack(sl, p, left_ns);
	}
	/* Where the kernel refuses to wait, the rest is spun. */
	return r > 0 || r == -ECANCELED || r == -EINTR ? r : 0;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* As is_worth_waiting(), but a trial shrinks the margin until a wait fits, and so does a wait that is due. */
static bool is_worth_one(const struct hpt_sleep *sl, struct phase *p)
{
	int64_t left_ns = hpt_deadline_left_ns(sl), *brief_ns = &p->margins.brief_ns;

	if (is_worth_waiting(p, left_ns)) {
		if (p->habits)
			hpt_trial_end(p->habits);
	} else if (!p->must_block && !p->must_wait) {
		if (!p->habits || hpt_policy_kind(p->policy) == HPT_SLEEP_SPIN || !hpt_trial_is_due(p->habits, left_ns))
			return false;
		*brief_ns = left_ns / 2;
	}
	if (p->must_block)
		*brief_ns = least(*brief_ns, least(left_ns - left_ns / 2, left_ns - HPT_AWAKE_BLOCK_FOR_NS));
	return true;
}

/* A signal handler is noticed in the kernel alone: a sleep that such a handler ends does not spin for longer. */
static void cut_spin(const struct hpt_sleeper *s, struct phase *p)
{
	if (s->flags & HPT_WAIT_EINTR && hpt_policy_kind(s->policy) == HPT_SLEEP_SPIN)
		p->margins.brief_ns = least(p->margins.brief_ns, EINTR_SPIN_NS);
}

static void give_spin_up(const struct hpt_sleep *sl, struct phase *p)
{
	hpt_policy_make(HPT_SLEEP_NOSPIN, 0, &p->policy);
	p->is_plain = p->is_forbidden || p->place.is_many;
	p->must_wait = p->is_forbidden && hpt_deadline_left_ns(sl) <= HPT_LEAST_WAIT_NS;
}

/* SPIN is no policy here. STRICT spins whatever ends its waits. */
static bool is_spin_useless(const struct hpt_sleep *sl, const struct hpt_habits *h, uint32_t kind)
{
	if (!h)
		return false;
	return hpt_habits_spin_is_useless(h, kind) ||
	       (sl->s->look && kind != HPT_SLEEP_STRICT && hpt_habits_events_end_waits(h));
}

/* The sleep is checked where threads share a budget, or others sleep. */
static void set_policy(const struct hpt_sleep *sl, struct phase *p)
{
	uint32_t kind = hpt_policy_kind(sl->s->policy);

	p->policy = sl->s->policy;
	if (kind == HPT_SLEEP_NOSPIN)
		p->is_plain = p->place.is_many;
	if (kind == HPT_SLEEP_SPIN || kind == HPT_SLEEP_NOSPIN)
		return;
	p->is_forbidden = !hpt_awake_may_spin(sl, p->habits);
	if (p->is_forbidden || is_spin_useless(sl, p->habits, kind))
		give_spin_up(sl, p);
	else if (p->place.is_crowded && kind == HPT_SLEEP_BALANCED)
		hpt_policy_make(HPT_SLEEP_FRUGAL, hpt_policy_cap_ns(p->policy), &p->policy);
}

/* A wait that is due takes place also after the deadline. */
static bool is_phase_over(const struct hpt_sleep *sl, const struct phase *p)
{
	return hpt_deadline_is_over(sl) && !p->must_block;
}

static void set_margins(const struct hpt_sleep *sl, struct phase *p)
{
	p->margins = hpt_wait_margins_of(hpt_habits_known(), p->policy, hpt_spin_limits_block_after_ns(),
					 hpt_deadline_left_ns(sl));
	cut_spin(sl->s, p);
}

/* Takes a place for the spin, later if the deadline is far away, or gives the spin up. */
static COLD __attribute__((noinline)) void settle_place(const struct hpt_sleep *sl, struct phase *p)
{
	int64_t left_ns = hpt_deadline_left_ns(sl);

	p->is_place_due = left_ns > HPT_CROWD_AHEAD_NS;
	if (p->is_place_due || hpt_place_take(&p->place, p->habits, sl->end.ns - left_ns,
					      sl->end.ns - least(p->margins.brief_ns, left_ns), sl->end.ns))
		return;
	give_spin_up(sl, p);
	set_margins(sl, p);
}

static bool needs_place(const struct phase *p)
{
	return p->is_beside && hpt_policy_kind(p->policy) != HPT_SLEEP_NOSPIN;
}

static int wait_in_phase(struct hpt_sleep *sl, struct phase *p)
{
	set_margins(sl, p);
	if (unlikely(needs_place(p)))
		settle_place(sl, p);
	if (hpt_awake_is_block_due(sl, p->habits, least(p->margins.brief_ns, hpt_deadline_left_ns(sl))))
		p->must_block = true;
	if (is_phase_over(sl, p) || !is_worth_one(sl, p))
		return 0;
	hpt_relax_ask();
	/* This check before the first wait may find that counter and clock have diverged already. */
	if ((!sl->watch.is_checked && hpt_sleep_check(sl) < 0) || sl->end.is_blind)
		return hpt_kernel_wait_by_clock(sl);
	if (is_phase_over(sl, p))
		return 0;
	if (unlikely(p->is_beside))
		hpt_place_count_wait(hpt_sleep_checked_ns(sl));
	return wait_until_near(sl, p);
}

/* Where the deadline was too far away for a place: one is taken now, or the rest is waited for. */
static COLD __attribute__((noinline)) int wait_again(struct hpt_sleep *sl, struct phase *p)
{
	if (hpt_deadline_is_over(sl))
		return 0;
	settle_place(sl, p);
	return p->is_place_due || needs_place(p) ? 0 : wait_in_phase(sl, p);
}

/* Where wakes wait for other threads, or did. */
static bool is_contended(const struct hpt_habits *h)
{
	return h && (hpt_contention_needs_slice(&h->contention) || h->slice.is_short);
}

/* SPIN takes more than a short slice at a time. */
static COLD __attribute__((noinline)) void follow_slice(const struct hpt_sleep *sl, struct hpt_habits *h)
{
	bool is_needed = hpt_contention_needs_slice(&h->contention) && !h->limits.must_not_spin &&
			 !hpt_spin_limits_forbid() && hpt_policy_kind(sl->s->policy) != HPT_SLEEP_SPIN;

	hpt_slice_follow(sl->s->clk->src.env, &h->slice, is_needed, hpt_clock_kernel_ns(sl->s->clk, CLOCK_MONOTONIC));
}

/* r: of the phase. A spin until the deadline follows, or the sleep has ended. */
static COLD __attribute__((noinline)) void note_end(const struct hpt_sleep *sl, struct hpt_habits *h, int r)
{
	bool spins = !r && hpt_policy_kind(sl->s->policy) != HPT_SLEEP_NOSPIN;
	int64_t left_ns = spins ? hpt_deadline_left_ns(sl) : 0;

	hpt_slice_note_end(&h->slice, hpt_clock_kernel_ns(sl->s->clk, CLOCK_MONOTONIC) + (left_ns > 0 ? left_ns : 0));
}

/* Without an event; the spin may see one. */
static COLD __attribute__((noinline)) void note_near(struct hpt_look *look, struct hpt_habits *h)
{
	if (h && !look->is_near)
		h->by_events = (uint16_t)(h->by_events << 1);
	look->is_near = true;
}

int hpt_kernel_phase(struct hpt_sleep *sl)
{
	struct phase p = { .habits = hpt_habits_claim() };
	uint32_t kind = hpt_policy_kind(sl->s->policy);
	bool has_limits = kind != HPT_SLEEP_SPIN, is_beside = has_limits && hpt_place_is_beside(p.habits);
	bool has_slice = unlikely(is_contended(p.habits));
	int saved = errno, r;

	hpt_awake_count_sleep(sl, p.habits);
	if (has_slice)
		follow_slice(sl, p.habits);
	if (((has_limits && hpt_spin_limits_are_shared()) || is_beside) && !sl->watch.is_checked &&
	    hpt_sleep_check(sl) < 0)
		return hpt_kernel_wait_by_clock(sl);
	if (is_beside)
		p.is_beside = hpt_place_begin(&p.place, p.habits, kind, hpt_sleep_checked_ns(sl));
	set_policy(sl, &p);
	r = wait_in_phase(sl, &p);
	if (!r && unlikely(p.is_place_due))
		r = wait_again(sl, &p);
	if (!r)
		hpt_awake_note_spin(sl, hpt_deadline_left_ns(sl));
	if (!r && unlikely(sl->s->look != NULL))
		note_near(sl->s->look, p.habits);
	if (has_slice)
		note_end(sl, p.habits, r);
	errno = saved;
	return r;
}
