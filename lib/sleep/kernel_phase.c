// SPDX-License-Identifier: MIT
/* The part of a sleep that is spent in the kernel: waits that end early by margins which each thread learns. */
#include "sleep/kernel_phase.h"

#include <errno.h>

#include "arch/arch.h"
#include "clock/sized.h"
#include "sleep/habits.h"
#include "sleep/kernel_wait.h"
#include "sleep/relax.h"
#include "sleep/slack.h"
#include "sleep/sleep_check.h"
#include "sleep/spin_limits.h"
#include "sleep/trial.h"

/*
 * A long wait wakes late, so a second, short one follows it. How late the kernel wakes a thread grows with the time
 * that the CPU was idle, up to 155 to 190 us for 250 ms. After a short wait it is 50 to 100 us whatever came before (an
 * AMD EPYC guest with 2 CPUs). The second wake costs some 15 us of CPU: there is one only where it replaces more
 * spinning. In sleeps of a millisecond it does so at most on idle CPUs: beside two busy threads on 2 CPUs a 1 kHz
 * sleeper used 60 us of CPU time a sleep with two waits and 54 us with one, without such threads 137 and 146.
 */
#define SECOND_NS    20000
#define WORTH_TWO_NS 2000000

/*
 * NOSPIN that is never early is late by the kernel's lateness anyhow. One wait does until the two clocks may come to
 * differ by more than that.
 */
#define WORTH_TWO_LATE_NS (LONG_GUESS_NS * EARLY_PART)

/*
 * Margins until one is learned: how late an idle CPU of a virtual machine wakes. The long margin is waited away by the
 * second wait, not spun.
 */
#define GUESS_NS      100000
#define LONG_GUESS_NS 150000
#define LONG_CAP_NS   1000000

/* At this many samples half of them are forgotten. */
#define WINDOW      512
#define LONG_WINDOW 256

/*
 * A long wait ends earlier by a part of its length, since the rates of the counter and CLOCK_MONOTONIC may come to
 * differ from those last seen. 1/1024, 0.1 %, covers NTP's 500 ppm twice. From a second on the part is 1/16, 6 %,
 * because a slew may begin in that time.
 */
#define EARLY_PART      1024
#define EARLY_PART_LONG 16

/* Sleeps up to this, half the first guess, are never trials: lib/sleep/trial.h. */
#define TRY_ABOVE_NS (GUESS_NS / 2)

/*
 * A wait as long as this blocks: the thread leaves the CPU before the timer ends, by which the kernel's count for
 * RLIMIT_RTTIME begins again (enqueue_task_rt() of its kernel/sched/rt.c). After 8 ms of spinning none of 50 waits of
 * 10 us did so, 37 of 75 of 20 us, 73 of 75 of 35 us, and all of 50 us (a busy EPYC guest). One that is due lasts
 * BLOCK_FOR_NS, since some time passes before it begins.
 */
#define BLOCK_NS     40000
#define BLOCK_FOR_NS 60000

/* The CPU time of a sleep of a few ns. */
#define CALL_NS 100

/* A thread's limits are asked for in this sleep: a thread that sleeps a few times does not spin for long. */
#define ASK_AT 10

/* The longest wait while no rate is known, which two samples half a millisecond apart change. */
#define LEARN_WAIT_NS 1000000

/* The longest spin of HPT_SLEEP_SPIN where a signal handler is to end the sleep. */
#define EINTR_SPIN_NS 1000000

struct margins {
	struct hpt_policy policy;  /* the sleep's, or NOSPIN where that is forbidden now */
	int64_t brief_ns, long_ns, cap_ns;
	int64_t slack_ns;          /* as far as waits allow for it */
	int64_t two_ns;            /* a wait is long if more than this is left before both margins */
	bool is_learned;           /* brief_ns is learned, not the policy's */
	bool is_forbidden;         /* to spin, by the limits of CPU time: policy is another than the sleep's */
	bool must_wait;            /* the sleep is too short for a wait, but may not spin */
	bool must_block;           /* a wait is due, also in a sleep that is too short for one */
	struct hpt_habits *habits; /* the thread's; NULL: nothing is learned */
};

/*
 * A sleep until Unix time waits by the kernel's CLOCK_REALTIME, so that a step of it moves the end of the wait.
 * libfaketime's clock differs from it, possibly by years: the end is then converted.
 */
static int64_t wall_end_ns(const struct hpt_sleep *sl, int64_t ahead_ns)
{
	int64_t until_ns = hpt_sum(sl->asked.at, sl->end.unix_ahead_ns - ahead_ns);
	const struct hpt_clock *clk = sl->s->clk;
	int64_t off_ns = hpt_clock_kernel_ns(clk, CLOCK_REALTIME) - clk->src.clock_ns(CLOCK_REALTIME);

	return off_ns < -HPT_DIVERGED_NS || off_ns > HPT_DIVERGED_NS ? hpt_sum(until_ns, off_ns) : until_ns;
}

/* Where the margin is the policy's, a wait that the spin follows may be of any length and teaches nothing. */
static void learn(const struct margins *m, int64_t late_ns, int64_t left_ns, bool was_long)
{
	struct hpt_habits *h = m->habits;

	if (!h)
		return;
	hpt_slack_note_wake(h, m->slack_ns, late_ns, left_ns);
	if (was_long)
		hpt_margin_add(&h->after_long, late_ns, LONG_WINDOW);
	else if (m->is_learned)
		hpt_margin_add(&h->after_brief, late_ns, WINDOW);
	if (left_ns < 0) {
		h->oversleeps++;
		h->oversleep_ns += (uint64_t)-left_ns;
	}
}

/* True if enough is left for a long wait and a short one after it. */
static bool is_long(const struct margins *m, int64_t left_ns)
{
	return m->long_ns && left_ns > m->long_ns + m->brief_ns + SECOND_NS + m->two_ns;
}

/*
 * The margin of a long wait that no second one follows: 0 where a second wake costs less than the spinning that it
 * replaces, as on idle CPUs. Where other threads keep the CPUs busy the kernel wakes soon after any wait.
 */
static int64_t once_ns(const struct margins *m, int64_t early_ns)
{
	int64_t once = m->long_ns + early_ns;

	return once <= m->brief_ns + SECOND_NS && once <= m->cap_ns ? once : 0;
}

/* How long before the deadline the next wait is to end, the slack apart. */
static int64_t first_margin_ns(const struct margins *m, int64_t left_ns)
{
	int64_t early_ns = left_ns / (left_ns < HPT_NS_PER_S ? EARLY_PART : EARLY_PART_LONG), once;

	if (!is_long(m, left_ns))
		return m->brief_ns;
	once = once_ns(m, early_ns);
	return once ? once : m->brief_ns + m->slack_ns + SECOND_NS + m->long_ns + early_ns;
}

/* While no rate is known a wait until a tick is short, because its end is a guess. */
static int64_t clock_end_ns(const struct hpt_sleep *sl, int64_t ahead_ns, bool *ret_is_cut)
{
	int64_t until_ns = hpt_sum(sl->end.ns, -ahead_ns), most_ns = INT64_MAX;

	if (sl->end.is_learning && (sl->asked.kind == HPT_DEADLINE_TICK || sl->asked.kind == HPT_DEADLINE_AFTER_TICKS))
		most_ns = hpt_sum(hpt_clock_kernel_ns(sl->s->clk, CLOCK_MONOTONIC), LEARN_WAIT_NS);
	*ret_is_cut = until_ns > most_ns;
	return *ret_is_cut ? most_ns : until_ns;
}

/* CLOCK_MONOTONIC at the latest check's reading. */
static int64_t checked_ns(const struct hpt_sleep *sl)
{
	return hpt_sum(sl->end.ns, -hpt_deadline_left_ns(sl));
}

COLD void hpt_kernel_phase_note_late(const struct hpt_sleep *sl)
{
	if (hpt_spin_limits_are_shared() && -hpt_deadline_left_ns(sl) > HPT_SPIN_LIMITS_STOOD_NS)
		hpt_spin_limits_stood(checked_ns(sl));
}

/* Of a wait that came to its end: the thread has left the CPU if it was long enough. */
static void note_block(const struct hpt_sleep *sl, struct hpt_habits *h, int64_t length_ns)
{
	if (length_ns < BLOCK_NS)
		return;
	*hpt_habits_spun() = 0;
	if (h && hpt_spin_limits_awake_most_ns() < INT64_MAX)
		h->blocked_ns = hpt_clock_kernel_ns(sl->s->clk, CLOCK_MONOTONIC);
}

/*
 * Where a wait is due its length is not left to chance, since much time may have passed since the check. Returns the
 * length. *ret_is_cut: the end is another than the margin's, so that its lateness teaches nothing.
 */
static COLD __attribute__((noinline)) int64_t block(const struct hpt_sleep *sl, clockid_t id, int64_t *until_ns,
						    bool *ret_is_cut)
{
	int64_t now_ns = hpt_clock_kernel_ns(sl->s->clk, id), least_ns = hpt_sum(now_ns, BLOCK_FOR_NS);

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
static int wait_and_learn(struct hpt_sleep *sl, struct margins *m, int64_t *left_ns)
{
	int64_t ahead_ns = first_margin_ns(m, *left_ns), length_ns = *left_ns - ahead_ns - m->slack_ns;
	int64_t until_ns, gained;
	bool was_long = is_long(m, *left_ns), is_wall = sl->asked.kind == HPT_DEADLINE_UNIX_NS, is_cut = false;
	int r;

	if (m->habits)
		m->habits->waits++;
	if (is_wall)
		until_ns = wall_end_ns(sl, ahead_ns + m->slack_ns);
	else
		until_ns = clock_end_ns(sl, ahead_ns + m->slack_ns, &is_cut);
	if (m->must_block)
		length_ns = block(sl, is_wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, &until_ns, &is_cut);
	m->must_block = false;
	r = hpt_kernel_wait(sl, is_wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, until_ns);
	if (r == -ECANCELED) { /* the program waits for this return: no check, nothing learned */
		sl->spin.now = sl->s->clk->src.read(&sl->s->clk->src);
		return r;
	}
	gained = hpt_sleep_check(sl);
	*left_ns = hpt_deadline_left_ns(sl);
	if (r == -ETIMEDOUT) {
		r = 0;
		note_block(sl, m->habits, length_ns);
		if (!gained && !is_cut)
			learn(m, ahead_ns - *left_ns, *left_ns, was_long);
		if (!m->is_forbidden) /* such a wait has the thread's slack */
			hpt_kernel_phase_note_late(sl);
	}
	return gained < 0 && r != -EINTR ? hpt_kernel_wait_by_clock(sl) : r;
}

/* True if a wait fits before the margin. */
static bool is_worth_waiting(const struct margins *m, int64_t left_ns)
{
	return left_ns > m->brief_ns + m->slack_ns + HPT_LEAST_WAIT_NS;
}

static int wait_in_turn(struct hpt_sleep *sl, struct margins *m, int64_t left_ns)
{
	int r;

	do
		r = wait_and_learn(sl, m, &left_ns);
	while (!r && !hpt_deadline_is_over(sl) && is_worth_waiting(m, left_ns));
	return r;
}

/*
 * Where the limits of CPU time forbid to spin the slack stays as it is: the sleep costs no more than the kernel's own,
 * and is as late.
 */
static COLD int wait_without_slack(struct hpt_sleep *sl, struct margins *m, int64_t left_ns)
{
	const struct hpt_env *env = sl->s->clk->src.env;
	int64_t slack_ns;
	int r;

	if (m->is_forbidden)
		return wait_in_turn(sl, m, left_ns);
	slack_ns = hpt_slack_drop(env, m->habits);
	r = wait_in_turn(sl, m, left_ns);
	hpt_slack_restore(env, m->habits, slack_ns);
	return r;
}

/*
 * True if the slack is small, so that waits allow for it by m->slack_ns. The rest that an early wake then leaves is
 * spun, which NOSPIN must not; some sleeps are too short for it; and a wait that is due may end after the deadline.
 */
static bool allows_for_slack(const struct hpt_sleep *sl, struct margins *m, int64_t left_ns)
{
	if (hpt_policy_kind(m->policy) == HPT_SLEEP_NOSPIN || m->must_block)
		return false;
	m->slack_ns = hpt_slack_small_ns(sl->s->clk->src.env, m->habits);
	if (m->slack_ns && is_worth_waiting(m, left_ns))
		return true;
	m->slack_ns = 0;
	return false;
}

/*
 * Waits until no more than the margin, the slack that is allowed for and HPT_LEAST_WAIT_NS are left. Returns as
 * hpt_kernel_phase().
 */
static int wait_until_near(struct hpt_sleep *sl, struct margins *m)
{
	int64_t left_ns = hpt_deadline_left_ns(sl);
	int r;

	if (allows_for_slack(sl, m, left_ns)) {
		r = wait_in_turn(sl, m, left_ns);
		m->slack_ns = 0;
		left_ns = hpt_deadline_left_ns(sl);
		if (!r && is_worth_waiting(m, left_ns)) /* another timer ended the wait */
			r = wait_without_slack(sl, m, left_ns);
	} else {
		r = wait_without_slack(sl, m, left_ns);
	}
	/* Where the kernel refuses to wait, the rest is spun. */
	return r > 0 || r == -ECANCELED || r == -EINTR ? r : 0;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void get_margins(const struct hpt_habits *h, struct hpt_policy p, struct margins *ret)
{
	uint64_t worth_ns = hpt_policy_worth_ns(p);
	bool is_late = hpt_policy_kind(p) == HPT_SLEEP_NOSPIN && !hpt_policy_cap_ns(p);

	if (hpt_policy_kind(p) == HPT_SLEEP_SPIN) {
		ret->brief_ns = hpt_policy_cap_ns(p);
		return;
	}
	ret->cap_ns = least(hpt_policy_cap_ns(p), hpt_spin_limits_block_after_ns());
	ret->brief_ns = hpt_margin_ns(&h->after_brief, worth_ns, ret->cap_ns, GUESS_NS);
	ret->long_ns = hpt_margin_ns(&h->after_long, worth_ns, LONG_CAP_NS, LONG_GUESS_NS);
	ret->two_ns = is_late ? WORTH_TWO_LATE_NS : WORTH_TWO_NS;
	ret->is_learned = !is_late;
}

/* As is_worth_waiting(), but a trial shrinks the margin until a wait fits, and so does a wait that is due. */
static bool is_worth_one(const struct hpt_sleep *sl, struct margins *m)
{
	int64_t left_ns = hpt_deadline_left_ns(sl);

	if (is_worth_waiting(m, left_ns)) {
		if (m->habits)
			m->habits->trials = 0;
	} else if (!m->must_block && !m->must_wait) {
		if (!m->habits || left_ns <= TRY_ABOVE_NS || hpt_policy_kind(m->policy) == HPT_SLEEP_SPIN ||
		    !hpt_trial_is_due(m->habits))
			return false;
		m->brief_ns = left_ns / 2;
	}
	if (m->must_block)
		m->brief_ns = least(m->brief_ns, left_ns - (left_ns / 2 > BLOCK_FOR_NS ? left_ns / 2 : BLOCK_FOR_NS));
	return true;
}

/* A signal handler is noticed in the kernel alone: a sleep that such a handler ends does not spin for longer. */
static void cut_spin(const struct hpt_sleeper *s, struct margins *m)
{
	if (s->flags & HPT_WAIT_EINTR && hpt_policy_kind(s->policy) == HPT_SLEEP_SPIN && m->brief_ns > EINTR_SPIN_NS)
		m->brief_ns = EINTR_SPIN_NS;
}

/* ---- Limits of CPU time ------------------------------------------------------------------------------------- */

/*
 * True if the thread has been awake for as long as it may, spin_ns more included. Where the limit is of any CPU time,
 * the program's own counts too: it is no longer than the time since the latest wait.
 */
static bool is_block_due(const struct hpt_sleep *sl, const struct hpt_habits *h, int64_t spin_ns)
{
	int64_t awake_most_ns = hpt_spin_limits_awake_most_ns(), awake_ns;

	if (hpt_policy_kind(sl->s->policy) == HPT_SLEEP_SPIN)
		return false;
	if (hpt_sum((int64_t)*hpt_habits_spun() * HPT_HABITS_SPUN_NS, spin_ns) > hpt_spin_limits_block_after_ns())
		return true;
	if (likely(awake_most_ns == INT64_MAX) || !h)
		return false;
	awake_ns = hpt_clock_kernel_ns(sl->s->clk, CLOCK_MONOTONIC) - h->blocked_ns;
	return awake_ns < 0 || awake_ns > awake_most_ns;
}

/* Counts a sleep that may spin. In the tenth the thread's limits are asked for, before its first wait. */
static inline void count_sleep(const struct hpt_sleep *sl, struct hpt_habits *h)
{
	if (likely(!h || h->sleeps >= ASK_AT) || ++h->sleeps < ASK_AT)
		return;
	h->must_not_spin = hpt_spin_limits_ask(sl->s->clk->src.env);
}

/* Of what is left when the kernel phase ends. */
static void note_spin(struct hpt_sleep *sl, int64_t left_ns)
{
	uint64_t spun_ns = (uint64_t)(left_ns > 0 ? left_ns : 0) + CALL_NS;
	uint64_t spun;

	/* The counter's last digits stand for the parts of a unit that were lost: short spins count on average. */
	spun = *hpt_habits_spun() + (spun_ns + sl->spin.now % HPT_HABITS_SPUN_NS) / HPT_HABITS_SPUN_NS;
	*hpt_habits_spun() = spun < UINT16_MAX ? (uint16_t)spun : UINT16_MAX;
	if (hpt_spin_limits_are_shared() && sl->watch.is_checked)
		hpt_spin_limits_spend(checked_ns(sl), left_ns);
}

/* The sleep is checked where threads share a budget. */
static void set_policy(const struct hpt_sleep *sl, struct margins *m)
{
	uint32_t kind = hpt_policy_kind(sl->s->policy);

	m->policy = sl->s->policy;
	if (kind == HPT_SLEEP_SPIN || kind == HPT_SLEEP_NOSPIN)
		return;
	m->is_forbidden = (m->habits && m->habits->must_not_spin) ||
			  (hpt_spin_limits_are_shared() && sl->watch.is_checked &&
			   !hpt_spin_limits_allow(checked_ns(sl)));
	if (!m->is_forbidden)
		return;
	hpt_policy_make(HPT_SLEEP_NOSPIN, 0, &m->policy);
	m->must_wait = hpt_deadline_left_ns(sl) <= HPT_LEAST_WAIT_NS;
}

bool hpt_kernel_phase_is_due(struct hpt_sleep *sl, int64_t left_ns)
{
	struct hpt_habits *h = hpt_habits_claim();
	bool has_limits = hpt_policy_kind(sl->s->policy) != HPT_SLEEP_SPIN;

	count_sleep(sl, h);
	if (unlikely(has_limits && ((h && h->must_not_spin) || hpt_spin_limits_are_shared() ||
				    is_block_due(sl, h, left_ns))))
		return true;
	note_spin(sl, left_ns);
	return false;
}

/* A wait that is due takes place also after the deadline. */
static bool is_over(const struct hpt_sleep *sl, const struct margins *m)
{
	return hpt_deadline_is_over(sl) && !m->must_block;
}

static int wait(struct hpt_sleep *sl, struct margins *m)
{
	get_margins(hpt_habits_known(), m->policy, m);
	cut_spin(sl->s, m);
	if (is_block_due(sl, m->habits, least(m->brief_ns, hpt_deadline_left_ns(sl))))
		m->must_block = true;
	if (is_over(sl, m) || !is_worth_one(sl, m))
		return 0;
	hpt_relax_ask();
	/* This check before the first wait may find that counter and clock have diverged already. */
	if ((!sl->watch.is_checked && hpt_sleep_check(sl) < 0) || sl->end.is_blind)
		return hpt_kernel_wait_by_clock(sl);
	return is_over(sl, m) ? 0 : wait_until_near(sl, m);
}

int hpt_kernel_phase(struct hpt_sleep *sl)
{
	struct margins m = { .habits = hpt_habits_claim() };
	int saved = errno, r;

	count_sleep(sl, m.habits);
	if (hpt_spin_limits_are_shared() && hpt_policy_kind(sl->s->policy) != HPT_SLEEP_SPIN && !sl->watch.is_checked &&
	    hpt_sleep_check(sl) < 0)
		return hpt_kernel_wait_by_clock(sl);
	set_policy(sl, &m);
	r = wait(sl, &m);
	if (!r)
		note_spin(sl, hpt_deadline_left_ns(sl));
	errno = saved;
	return r;
}

/* ---- Information ----------------------------------------------------------------------------------------- */

COLD int hpt_sleep_get_info(struct hpt_sleep_info *ret, size_t size)
{
	struct hpt_policy p = hpt_policy_current();
	const struct hpt_habits *h = hpt_habits_known();
	struct hpt_sleep_info info = { 0 };
	struct margins m = { 0 };

	if (!ret || size < HPT_SLEEP_INFO_SIZE_V0)
		return -EINVAL;
	get_margins(h, p, &m);
	info.policy = hpt_policy_kind(p);
	info.max_spin_ns = hpt_policy_cap_ns(p);
	info.margin_ns = (uint32_t)(m.brief_ns < UINT32_MAX ? m.brief_ns : UINT32_MAX);
	info.long_margin_ns = (uint32_t)m.long_ns;
	info.samples = hpt_margin_samples(&h->after_brief);
	info.long_samples = hpt_margin_samples(&h->after_long);
	info.waits = h->waits;
	info.oversleeps = h->oversleeps;
	info.oversleep_ns = h->oversleep_ns;
	hpt_hand_out(ret, size, &info, sizeof(info));
	return 0;
}
