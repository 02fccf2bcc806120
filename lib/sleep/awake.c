// SPDX-License-Identifier: MIT
/* How long a thread has been awake: lib/sleep/awake.h. */
#include "sleep/awake.h"

#include "arch/arch.h"
#include "sleep/deadline.h"
#include "sleep/sleep_check.h"
#include "sleep/spin_limits.h"

/* The CPU time of a sleep of a few ns. */
#define CALL_NS 100

/* A thread's limits are asked for in this sleep: a thread that sleeps a few times does not spin for long. */
#define ASK_AT 10

COLD void hpt_awake_note_late(const struct hpt_sleep *sl)
{
	if (hpt_spin_limits_are_shared() && -hpt_deadline_left_ns(sl) > HPT_SPIN_LIMITS_STOOD_NS)
		hpt_spin_limits_stood(hpt_sleep_checked_ns(sl));
}

void hpt_awake_note_block(const struct hpt_sleep *sl, struct hpt_habits *h, int64_t length_ns)
{
	if (length_ns < HPT_AWAKE_BLOCK_NS)
		return;
	*hpt_habits_spun() = 0;
	if (h && hpt_spin_limits_awake_most_ns() < INT64_MAX)
		h->blocked_ns = hpt_clock_kernel_ns(sl->s->clk, CLOCK_MONOTONIC);
}

bool hpt_awake_is_block_due(const struct hpt_sleep *sl, const struct hpt_habits *h, int64_t spin_ns)
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

void hpt_awake_count_sleep(const struct hpt_sleep *sl, struct hpt_habits *h)
{
	if (likely(!h || h->sleeps >= ASK_AT) || ++h->sleeps < ASK_AT)
		return;
	h->limits = hpt_spin_limits_ask(sl->s->clk->src.env);
}

void hpt_awake_note_spin(struct hpt_sleep *sl, int64_t left_ns)
{
	uint64_t spun_ns = (uint64_t)(left_ns > 0 ? left_ns : 0) + CALL_NS;
	uint64_t spun;

	/* The counter's last digits stand for the parts of a unit that were lost: short spins count on average. */
	spun = *hpt_habits_spun() + (spun_ns + sl->spin.now % HPT_HABITS_SPUN_NS) / HPT_HABITS_SPUN_NS;
	*hpt_habits_spun() = spun < UINT16_MAX ? (uint16_t)spun : UINT16_MAX;
	if (hpt_spin_limits_are_shared() && sl->watch.is_checked)
		hpt_spin_limits_spend(hpt_sleep_checked_ns(sl), left_ns);
}

bool hpt_awake_may_spin(const struct hpt_sleep *sl, const struct hpt_habits *h)
{
	if (h && h->limits.must_not_spin)
		return false;
	return !hpt_spin_limits_are_shared() || !sl->watch.is_checked ||
	       hpt_spin_limits_allow(hpt_sleep_checked_ns(sl));
}

bool hpt_awake_is_wait_due(struct hpt_sleep *sl, int64_t left_ns)
{
	struct hpt_habits *h = hpt_habits_claim();
	bool has_limits = hpt_policy_kind(sl->s->policy) != HPT_SLEEP_SPIN;

	hpt_awake_count_sleep(sl, h);
	if (unlikely(has_limits && ((h && h->limits.must_not_spin) || hpt_spin_limits_are_shared() ||
				    hpt_awake_is_block_due(sl, h, left_ns))))
		return true;
	hpt_awake_note_spin(sl, left_ns);
	return false;
}
