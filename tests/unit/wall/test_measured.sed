# SPDX-License-Identifier: MIT

#: lib/wall/measured.c
s/#define FIRST_STEP_NS (50 \* NS_PER_MS)/#define FIRST_STEP_NS (48 * NS_PER_MS)/
s/#define PACE_SHARE 1000/#define PACE_SHARE 100/
s/		if (rec->of\[i\].key == key)/		if (rec->of[0].key == key)/
s/error_ppb + other_ppb + 2) + /error_ppb + 2) + /
s/	return own_ns - raw_ns - signed_portion_ns(raw_ns, n->reading->pace_ppb);/	return own_ns - raw_ns;/
s/	return n->steps == 1 && /	return /
s/ && n->before->is_unsynced && / \&\& /
s/ && amount_of(m->moved_ns) >= FIRST_STEP_NS &&/ \&\&/
s/	       hpt_sum(m->moved_ns, slack_ns) >= n->events->step_lo_ns &&/	       /
s/	       hpt_sum(m->moved_ns, -slack_ns) <= n->events->step_hi_ns;/	       true;/
s/known->off_ns - middle_ns(m) : m->moved_ns/known->off_ns - middle_ns(m) : 0/
s/known->off_ns - middle_ns(m) : m->moved_ns/m->moved_ns : m->moved_ns/
s/	if (known->doubts && other_ppb)/	if (0)/
s/	slack_ns += portion_ns(m->age_ns, .*/	slack_ns +=/
s/	if (n->is_void || !(is_same/	if (!(is_same/
s/	bool is_same = m->number \&\& known->number/	bool is_same = known->number/
s/ || !(is_same || may_know_all(n, m, slack_ns)) || / || /
s/ || amount_of(off_ns) > slack_ns)/)/
s/	return 2 \* slack_ns;/	return 0;/
s/#define DOUBTS 2/#define DOUBTS 1/
s/		now.doubts = n->was_there ? DOUBTS : 0;/		;/
s/.events = reading->events,/.events = *events,/
s/rates->tick_per_ns), 1);/rates->tick_per_ns), 0) + 1;/
s/	if (n->steps || n->is_void)$/	if (n->is_void)/
s/	if (n->steps || n->is_void)$/	if (n->steps)/
s/	if (known->number == m->number) {/	if (0) {/
s/		now.doubts = known->doubts ? known->doubts - 1 : 0;/		;/
s/		now.doubts = DOUBTS;/		;/
s/		now.more_ns = hpt_sum(now.more_ns, slack_ns);/		;/
s/		now.more_ns = known->next_more_ns;/		;/
s/		now.next_more_ns = hpt_sum(now.next_more_ns, slack_ns);/		;/
s/.was_there = events->steps || events->voids,/.was_there = events->voids,/
s/.is_unsynced = reading->is_unsynced, //
s/	if (rec->is_known && (int64_t)(next.asked - rec->asked) < 0 && !n.is_void)/	if (0)/
s/ < 0 && !n.is_void)/ < 0)/
s/	int64_t least_ns = hpt_scale_round(ticks, rates->utc.lo) - own_ns - slack_ns;/	int64_t least_ns = hpt_scale_round(ticks, rates->utc.lo) - own_ns;/
s/ - own_ns + slack_ns;/ - own_ns;/
s/least_ns < 0 ? least_ns : 0/least_ns/
s/most_ns > 0 ? most_ns : 0/most_ns/
s/	return leap_at_ns && made_ns < leap_at_ns && /	return leap_at_ns \&\& /
s/ && now_ns >= leap_at_ns;/;/
s/	if (m->reason)$/	if (0)/
s/	if (known->doubts || /	if (/
s/ || known->number != m->number)/)/
s/why == HPT_WALL_REASON_NO_BOUND ? reason : why/why/
s/	if (!has_one)/	if (0)/
s/	if (off.lo_ns > off.hi_ns)/	if (0)/
s/		now.lo_ns = hpt_sum(now.lo_ns, -rec->of\[i\].more_ns);/		;/
s/		now.hi_ns = hpt_sum(now.hi_ns, rec->of\[i\].more_ns);/		;/
s/off.lo_ns = now.lo_ns > off.lo_ns ?/off.lo_ns = 1 ?/
s/off.hi_ns = now.hi_ns < off.hi_ns ?/off.hi_ns = 1 ?/
