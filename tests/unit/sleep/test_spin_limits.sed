# SPDX-License-Identifier: MIT

#: lib/sleep/spin_limits.c
s/	if (t->process_millicpus == UINT32_MAX) .*/	if (0)/
s/	if (atomic_exchange(\&hpt_spin_limits.asked_by, hpt_process()) == hpt_process())/	if (0)/
s/	hpt_spin_limits_take(\&terms);/	;/
s/	s.is_deadline = env->scheduler() == SCHED_DEADLINE;/	;/
s/if (env->is_filtered \&\& !env->is_filtered())/if (env->is_filtered)/
s/if (env->is_filtered \&\& !env->is_filtered())/if (!env->is_filtered())/
s/	if (atomic_load(most) < n)/	if (1)/
s/note_most(\&hpt_spin_limits.cpus, t->cpus);/;/
s/note_most(\&hpt_spin_limits.spinners, t->spinners);/;/
s/note_most(\&hpt_spin_limits.strict_spinners, t->strict_spinners);/;/
s/	atomic_store(\&hpt_spin_limits.cpus, 0);/	;/
s/	atomic_store(\&hpt_spin_limits.spinners, 0);/	;/
s/	atomic_store(\&hpt_spin_limits.strict_spinners, 0);/	;/
s/!terms.spinners, env->is_pinned()/!terms.spinners, false/
/^COLD struct hpt_thread_limits hpt_spin_limits_ask/,/^}/s/	errno = saved;/	;/
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

#: lib/sleep/awake.c
s/ || ++h->sleeps < ASK_AT)/)/
s/	if (likely(!h || h->sleeps >= ASK_AT) || /	if (!h || /
s/		hpt_spin_limits_spend(hpt_sleep_checked_ns(sl), left_ns);/		;/
s/((h \&\& h->limits.must_not_spin) || hpt_spin_limits_are_shared() ||/(hpt_spin_limits_are_shared() ||/
s/((h \&\& h->limits.must_not_spin) || hpt_spin_limits_are_shared() ||/((h \&\& h->must_not_spin) ||/
s/-hpt_deadline_left_ns(sl) > HPT_SPIN_LIMITS_STOOD_NS)/0)/
s/	if (h \&\& h->limits.must_not_spin)$/	if (0)/
s/^	       hpt_spin_limits_allow(hpt_sleep_checked_ns(sl));/	       true;/

#: lib/sleep/kernel_phase.c
s/^	hpt_awake_count_sleep(sl, p.habits);/	;/
s/	if (kind == HPT_SLEEP_SPIN || kind == HPT_SLEEP_NOSPIN)/	if (kind == HPT_SLEEP_NOSPIN)/
/^static COLD int wait_without_slack/,/^}/s/if (p->is_plain)/if (0)/
s/	p->must_wait = p->is_forbidden \&\& hpt_deadline_left_ns(sl) <= HPT_LEAST_WAIT_NS;/	;/
s/^\t\tif (!p->is_plain) .*/\t\t;/

#: lib/sleep/sleep.c
s/left_ns > HPT_LEAST_WAIT_NS || hpt_awake_is_wait_due(sl, left_ns)/left_ns > HPT_LEAST_WAIT_NS/
s/	hpt_awake_note_late(sl);/	;/
