# SPDX-License-Identifier: MIT

#: lib/sleep/spin_limits.c
s/	if (t->process_millicpus == UINT32_MAX) .*/	if (0)/
s/	if (atomic_exchange(\&hpt_spin_limits.asked_by, hpt_process()) == hpt_process())/	if (0)/
s/	hpt_spin_limits_take(\&terms);/	;/
s/	s.is_deadline = env->scheduler() == SCHED_DEADLINE;/	;/
s/env->is_filtered \&\& !env->is_filtered() \&\& ask(env)/env->is_filtered \&\& ask(env)/
s/env->is_filtered \&\& !env->is_filtered() \&\& ask(env)/!env->is_filtered() \&\& ask(env)/
/^COLD bool hpt_spin_limits_ask/,/^}/s/	errno = saved;/	;/
s/	return atomic_load_explicit(\&hpt_spin_limits.millicpus, memory_order_relaxed) \&\&/	return/
s/(until_ns <= now_ns || until_ns > now_ns + PAUSE_NS)/(until_ns <= now_ns)/
s/(until_ns <= now_ns || until_ns > now_ns + PAUSE_NS)/1/
s/	if (!share || spun_ns <= 0)/	if (spun_ns <= 0)/
s/	if (!share || spun_ns <= 0)/	if (!share)/
s/	spun_ns = spun_ns < DEBT_MOST_NS ? spun_ns : DEBT_MOST_NS;/	;/
s/after = (before > least_ns ? before : least_ns) + cost_ns;/after = before + cost_ns;/
s/after = (before > least_ns ? before : least_ns) + cost_ns;/after = least_ns + cost_ns;/
s/		if (after > now_ns + DEBT_MOST_NS)/		if (0)/
/^void hpt_spin_limits_stood/,/^}/s/now_ns + PAUSE_NS/now_ns/

#: lib/sleep/kernel_phase.c
s/	if (length_ns < BLOCK_NS)/	if (0)/
s/^	\*hpt_habits_spun() = 0;/	;/
s/^		h->blocked_ns = hpt_clock_kernel_ns(sl->s->clk, CLOCK_MONOTONIC);/		;/
s/	if (\*until_ns < least_ns) {/	if (0) {/
/^static int wait_and_learn/,/^}/s/if (p->must_block)/if (0)/
/^static bool is_worth_one/,/^}/s/	if (p->must_block)/	if (0)/
s/ || ++h->sleeps < ASK_AT)/)/
s/	if (likely(!h || h->sleeps >= ASK_AT) || /	if (!h || /
s/^	count_sleep(sl, h);/	;/
s/^	count_sleep(sl, p.habits);/	;/
s/^	if (hpt_policy_kind(sl->s->policy) == HPT_SLEEP_SPIN)/	if (0)/
s/	if (hpt_sum((int64_t)\*hpt_habits_spun() \* HPT_HABITS_SPUN_NS, spin_ns) > hpt_spin_limits_block_after_ns())/	if (0)/
s/	if (likely(awake_most_ns == INT64_MAX) || !h)/	if (1)/
s/return awake_ns < 0 || awake_ns > awake_most_ns;/return 0;/
s/(uint64_t)(left_ns > 0 ? left_ns : 0) + CALL_NS/(uint64_t)(left_ns > 0 ? left_ns : 0)/
s/(spun_ns + sl->spin.now % HPT_HABITS_SPUN_NS)/spun_ns/
s/spun < UINT16_MAX ? (uint16_t)spun : UINT16_MAX/(uint16_t)spun/
s/		hpt_spin_limits_spend(checked_ns(sl), left_ns);/		;/
s/	if (kind == HPT_SLEEP_SPIN || kind == HPT_SLEEP_NOSPIN)/	if (kind == HPT_SLEEP_NOSPIN)/
s/			   !hpt_spin_limits_allow(checked_ns(sl)));/			   false);/
s/(p->habits \&\& p->habits->must_not_spin) ||/false ||/
/^static COLD int wait_without_slack/,/^}/s/if (p->is_forbidden)/if (0)/
s/	p->must_block = false;/	;/
s/ == HPT_SLEEP_NOSPIN || p->must_block)/ == HPT_SLEEP_NOSPIN)/
s/	p->must_wait = hpt_deadline_left_ns(sl) <= HPT_LEAST_WAIT_NS;/	;/
s/^\t\tif (!p->is_forbidden) .*/\t\t;/
s/((h \&\& h->must_not_spin) || hpt_spin_limits_are_shared() ||/(hpt_spin_limits_are_shared() ||/
s/((h \&\& h->must_not_spin) || hpt_spin_limits_are_shared() ||/((h \&\& h->must_not_spin) ||/
s/	if (is_block_due(sl, p->habits, least(p->margins.brief_ns, hpt_deadline_left_ns(sl))))/	if (0)/
s/^		note_spin(sl, hpt_deadline_left_ns(sl));/		;/
s/-hpt_deadline_left_ns(sl) > HPT_SPIN_LIMITS_STOOD_NS)/0)/
s/least(\*brief_ns, left_ns - (left_ns/(left_ns - (left_ns/

#: lib/sleep/sleep.c
s/left_ns > HPT_LEAST_WAIT_NS || hpt_kernel_phase_is_due(sl, left_ns)/left_ns > HPT_LEAST_WAIT_NS/
s/	hpt_kernel_phase_note_late(sl);/	;/

#: lib/sleep/habits.c
s/	return \&mine.spun;/	static uint16_t shared; return \&shared;/
