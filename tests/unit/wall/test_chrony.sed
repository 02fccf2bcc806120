# SPDX-License-Identifier: MIT

#: lib/wall/chrony.c chrony chrony_sources chrony_packets
s/REF_LOCAL 0x7f7f0101u/REF_LOCAL 0x7f7f0102u/
s/t->leap < LEAP_UNSYNCHRONISED && //
s/t->leap < LEAP_UNSYNCHRONISED/t->leap != LEAP_UNSYNCHRONISED/
s/ && t->ref_id && / \&\& /
s/ && t->ref_id != REF_LOCAL//
s/ && t->stratum > 0//
s/^	       t->stratum < STRATUM_MAX;/	       1;/
s/	if (t->ref_ns <= 0 || t->interval.hi_ns < 0)/	if (t->ref_ns <= 0)/
s/	if (t->ref_ns <= 0 || t->interval.hi_ns < 0)/	if (t->interval.hi_ns < 0)/
s/^\treturn t->interval.hi_ns < INTERVAL_MOST_NS ? t->interval.hi_ns/\treturn t->interval.hi_ns < INTERVAL_MOST_NS ? FIRST_INTERVAL_NS/
s/^\tif (!t->interval.hi_ns)$/\tif (false)/
s/(age_ns - FUZZ_NS)/(age_ns)/
s/t->leap == LEAP_INSERT ? HPT_WALL_LEAP_INSERTED/t->leap == LEAP_INSERT ? HPT_WALL_LEAP_LEFT_OUT/
s/t->leap == LEAP_DELETE ? HPT_WALL_LEAP_LEFT_OUT/0 ? HPT_WALL_LEAP_LEFT_OUT/
s/	if (hpt_sum(ret->sample.latest_ns, b->unix_ns - a->unix_ns) < t->ref_ns)/	if (0)/
s/	ret->is_holdover = is_silent(t, age_ns);/	;/
s/ask->config->chrony_address\[0\] ?/0 ?/
s/	if (!ask->clk->src.env->exchange)/	if (0)/
s/reason != HPT_WALL_REASON_NO_ANSWER && reason != HPT_WALL_REASON_FORMAT/reason != HPT_WALL_REASON_NO_ANSWER/
s/reason != HPT_WALL_REASON_NO_ANSWER && reason != HPT_WALL_REASON_FORMAT/reason != HPT_WALL_REASON_FORMAT/
s/20000000, 30000000, 45000000 }/20000000, 30000000, 55000000 }/
s/^		ask->error = 0;/		;/
s/return s->lo_ns >= -SHIFT_MOST_NS && /return /
s/ && s->hi_ns <= SHIFT_MOST_NS;/;/
s/return t->freq_ppb < PPB \/ 2 && /return /
s/t->freq_ppb > -PPB \/ 2;/1;/
s/ask, a, b, t->correction.lo_ns, t->correction.hi_ns/ask, a, b, -t->correction.hi_ns, -t->correction.lo_ns/
s/	if (s->state == FALSETICKER)/	if (0)/
s/	if (!is_trusted_by_it(t, s))/	if (0)/
s/return s->state == SELECTED || s->state == UNSELECTED || s->state == SELECTABLE ||/return s->state == SELECTED ||/
s/ || s->state == SELECTABLE || is_silent_reference(t, s);/ || s->state == SELECTABLE;/
s/return s->state == NONSELECTABLE && !s->reached/return !s->reached/
s/NONSELECTABLE && !s->reached /NONSELECTABLE /
s/ && s->from == t->from;/;/
s/s->error.lo_ns <= 0 || //
s/ || s->error.hi_ns > ERROR_MOST_NS)/)/
s/	if (s->since_s == UINT32_MAX || s->error/	if (s->error/
s/	if (s->mode == IS_REFERENCE_CLOCK && !more_error_ns(ask, s) && /	if (0 \&\& /
s/ && !is_delay_stated(t, s))/)/
s/ && (s->state == SELECTED || is_silent_reference(t, s)) &&$/ \&\&/
s/ && (s->state == SELECTED || is_silent_reference(t, s)) &&$/ \&\& s->state == SELECTED \&\&/
s/t->root_delay.lo_ns >= DELAY_LEAST_NS;/t->root_delay.lo_ns > 0;/
s/return s->mode == IS_REFERENCE_CLOCK ? /return 1 ? /
s/	return is_offset(&s->original) && is_offset(&s->latest) ? HPT/	return 1 ? HPT/
s/	if (s->since_s == UINT32_MAX || !is_offset/	if (!is_offset/
s/	m.number = (uint64_t)s->original_bits + 1;/	m.number = (uint64_t)s->since_s + 1;/
s/	m.moved_ns = middle_of(&s->latest) - middle_of(&s->original);/	m.moved_ns = middle_of(\&s->original) - middle_of(\&s->latest);/
s/	if (s->since_s > SINCE_MOST_S)/	if (0)/
s/define SINCE_MOST_S INT32_MAX/define SINCE_MOST_S (INT32_MAX - 1)/
s/	if (s->mode == IS_PEER)/	if (0)/
s/	return s->from == t->from && (s->state/	return (s->state/
s/		return since_ns + NS_PER_S;/		return since_ns;/
s/now->latest_ns - now->earliest_ns \/ NS_PER_S \* NS_PER_S, since_ns/now->latest_ns % NS_PER_S, since_ns/
s/now->latest_ns - now->earliest_ns \/ NS_PER_S \* NS_PER_S, since_ns/0, since_ns/
s/		m.off_lo_ns -= stated_error_ns(ask, s);/		;/
s/		m.off_hi_ns += stated_error_ns(ask, s);/		;/
s/ + more_error_ns(ask, s);/;/
s/		if (reading->measured\[i\].key == key)/		if (0)/
s/	ret->is_unsynced = !is_synchronised(t);/	ret->is_unsynced = false;/
s/	ret->pace_ppb = -t->freq_ppb;/	ret->pace_ppb = t->freq_ppb;/
s/	return ret->n_measured ? HPT_WALL_REASON_NONE : HPT_WALL_REASON_NO_BOUND;/	return HPT_WALL_REASON_NONE;/
s/	if (!reason && !hpt_chrony_is_same_clock(/	if (0 \&\& !hpt_chrony_is_same_clock(/
s/	if (!sort_answers(&answers))/	if (sort_answers(\&answers), 0)/
s/		if (reason == HPT_WALL_REASON_ABSENT)/		if (0)/
s/		if (!is_listed(ret, s.key))/		if (1)/
s/	if (sources < HPT_MEASURED_MOST && ret->has_more)/	if (0)/
s/	if (sources < HPT_MEASURED_MOST && ret->has_more)/	if (1)/
s/expected + 1 : HPT_MEASURED_MOST/expected : HPT_MEASURED_MOST/
s/ask->expected ? ask->expected : FIRST_EXPECTED/ask->expected/
s/^		ask->expected = ret->n_measured;/		ask->expected = 0;/
s/	return reading->has_more;/	return true;/
s/		ret->has_more = i == a->sent.n - 2;/		ret->has_more = ret->n_measured == (uint32_t)a->sent.n - 2;/
s/		if (!reading->measured\[i\].reason)/		if (0)/
s/for (; !reason && may_have_more(ret) && /for (; may_have_more(ret) \&\& /
s/for (; !reason && may_have_more(ret) && /for (; !reason \&\& /
s/ && first < LISTED_MOST; first/; first/
s/#define LISTED_MOST (4 /#define LISTED_MOST (3 /
s/		if (why == HPT_WALL_REASON_NO_BOUND)/		if (0)/
s/		if (why == HPT_WALL_REASON_NO_BOUND)/		if (why)/
s/^		\*ret = more;/		;/
s/^		reason = why;/		;/
s/command == HPT_CHRONY_SOURCE ? first + (uint32_t)i - 1 : 0/first + (uint32_t)i/
s/command == HPT_CHRONY_SOURCE ? first + (uint32_t)i - 1 : 0/(uint32_t)i - 1/
s/	ret->n_measured = 0;/	;/
