# SPDX-License-Identifier: MIT

#: lib/sleep/awake.c
s/	if (length_ns < HPT_AWAKE_BLOCK_NS)/	if (0)/
s/^	\*hpt_habits_spun() = 0;/	;/
s/^		h->blocked_ns = hpt_clock_kernel_ns(sl->s->clk, CLOCK_MONOTONIC);/		;/
s/^	hpt_awake_count_sleep(sl, h);/	;/
s/^	if (hpt_policy_kind(sl->s->policy) == HPT_SLEEP_SPIN)/	if (0)/
s/	if (hpt_sum((int64_t)\*hpt_habits_spun() \* HPT_HABITS_SPUN_NS, spin_ns) > hpt_spin_limits_block_after_ns())/	if (0)/
s/	if (likely(awake_most_ns == INT64_MAX) || !h)/	if (1)/
s/return awake_ns < 0 || awake_ns > awake_most_ns;/return 0;/
s/(uint64_t)(left_ns > 0 ? left_ns : 0) + CALL_NS/(uint64_t)(left_ns > 0 ? left_ns : 0)/
s/(spun_ns + sl->spin.now % HPT_HABITS_SPUN_NS)/spun_ns/
s/spun < UINT16_MAX ? (uint16_t)spun : UINT16_MAX/(uint16_t)spun/

#: lib/sleep/kernel_phase.c
s/	if (\*until_ns < least_ns) {/	if (0) {/
/^static int wait_and_learn/,/^}/s/if (p->must_block)/if (0)/
/^static bool is_worth_one/,/^}/s/	if (p->must_block)/	if (0)/
s/	p->must_block = false;/	;/
s/ == HPT_SLEEP_NOSPIN || p->must_block)/ == HPT_SLEEP_NOSPIN)/
s/	if (hpt_awake_is_block_due(sl, p->habits, least(p->margins.brief_ns, hpt_deadline_left_ns(sl))))/	if (0)/
s/^		hpt_awake_note_spin(sl, hpt_deadline_left_ns(sl));/		;/
s/least(\*brief_ns, least(/(least(/
s/^		if (!gained \&\& !is_cut)/		if (!gained)/
