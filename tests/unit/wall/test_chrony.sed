# SPDX-License-Identifier: MIT

#: lib/wall/chrony.c chrony chrony_packets
s/REF_LOCAL 0x7f7f0101u/REF_LOCAL 0x7f7f0102u/
s/^	if (exponent > 8)$/	if (exponent > 80)/
s/return v >> (exponent < -62 ? 62 : -exponent);/return v >> (exponent < -20 ? 20 : -exponent);/
s/(x >> 31 ? 128 : 0)/0/
s/(x >> 24 & 1 ? 0x2000000 : 0)/0/
s/	if (!coefficient)$/	if (0)/
s/(coefficient - 1) \* NS_PER_S, exponent/coefficient * NS_PER_S + 0, exponent/
s/	if (high != 0x7fffffff)/	if (1)/
s/	if (s > (uint64_t)(HPT_WALL_MOST_NS/	if (0 \&\& s > (uint64_t)(HPT_WALL_MOST_NS/
s/length >= REPLY_HEADER && reply/reply/
s/ && reply\[TYPE\] == IS_REPLY//
s/ && !reply\[2\]//
s/ && !reply\[3\]//
s/get_16(reply + COMMAND) == ASK_TRACKING && //
s/ && get_32(reply + REPLY_SEQUENCE) == sequence;/;/
s/status == STATUS_UNAUTH || //
s/ || status == STATUS_NO_HOST_ACCESS)/)/
s/reply\[VERSION\] != PROTOCOL || //
s/ || status != STATUS_SUCCESS//
s/ || get_16(reply + REPLY) != TELL_TRACKING//
s/^	    length != LENGTH)/	    0)/
s/t->leap < LEAP_UNSYNCHRONISED && //
s/t->leap < LEAP_UNSYNCHRONISED/t->leap != LEAP_UNSYNCHRONISED/
s/ && t->ref_id && / \&\& /
s/ && t->ref_id != REF_LOCAL//
s/ && t->stratum > 0//
s/^	       t->stratum < STRATUM_MAX;/	       1;/
s/return s->lo_ns >= 0 && /return /
s/ && s->hi_ns <= ERROR_MOST_NS;/;/
s/return is_error(&t->delay) && /return /
s/ && is_error(&t->dispersion)//
s/ && t->interval.hi_ns >= 0//
s/ && t->ref_ns > 0//
s/^\treturn t->interval.hi_ns < INTERVAL_MOST_NS ? t->interval.hi_ns/\treturn t->interval.hi_ns < INTERVAL_MOST_NS ? FIRST_INTERVAL_NS/
s/^\tif (!t->interval.hi_ns)$/\tif (false)/
s/(age_ns - FUZZ_NS)/(age_ns)/
s/t->leap == LEAP_INSERT ? HPT_WALL_LEAP_INSERTED/t->leap == LEAP_INSERT ? HPT_WALL_LEAP_LEFT_OUT/
s/t->leap == LEAP_DELETE ? HPT_WALL_LEAP_LEFT_OUT/0 ? HPT_WALL_LEAP_LEFT_OUT/
s/error_ns = t->delay.hi_ns \/ 2 + 1 + t->dispersion.hi_ns/error_ns = t->dispersion.hi_ns/
s/error_ns = t->delay.hi_ns \/ 2 + 1 + t->dispersion.hi_ns/error_ns = t->delay.hi_ns \/ 2 + 1/
s/error_ns = t->delay.hi_ns \/ 2/error_ns = t->delay.hi_ns/
s/hpt_sum(t->correction.lo_ns, -error_ns)/hpt_sum(-t->correction.hi_ns, -error_ns)/
s/hpt_sum(t->correction.hi_ns, error_ns)/t->correction.hi_ns/
s/	if (hpt_sum(ret->sample.latest_ns, b->unix_ns - a->unix_ns) < t->ref_ns)/	if (0)/
s/	ret->is_holdover = is_silent(t, age_ns);/	;/
s/ask->config->chrony_address\[0\] ?/0 ?/
s/	if (!ask->clk->src.env->exchange)/	if (0)/
s/reason != HPT_WALL_REASON_NO_ANSWER && reason != HPT_WALL_REASON_FORMAT/reason != HPT_WALL_REASON_NO_ANSWER/
s/reason != HPT_WALL_REASON_NO_ANSWER && reason != HPT_WALL_REASON_FORMAT/reason != HPT_WALL_REASON_FORMAT/
s/20000000, 30000000, 45000000 }/20000000, 30000000, 55000000 }/
s/^		ask->error = 0;/		;/
s/	ret->updated_ns = t->ref_ns;/	;/
