# SPDX-License-Identifier: MIT

#: lib/rate/sample.c
s/return !ns && hpt_sample_clock(src, id, &ns);/return false;/
s/	return is_lost(src, CLOCK_MONOTONIC) ||/	return (0 \&\& is_lost(src, CLOCK_MONOTONIC)) ||/

#: lib/clock/timekeeper.c
s/clk->src.own_time || hpt_sample_is_blind(&clk->src)/clk->src.own_time/
s/return ns || !hpt_sample_is_blind(&clk->src) ? ns :/return 1 ? ns :/

#: lib/clock/check.c
s/clk->src.own_time || hpt_sample_is_blind(&clk->src)/clk->src.own_time/

#: lib/clock/first.c
s/if (hpt_sample_is_blind(&clk->src)) {/if (0) {/
s/UINT64_C(8000000000)/UINT64_C(1000000000)/
s/	if (rate.origin == HPT_ORIGIN_REGISTER)/	if (0)/

#: lib/sleep/watchdog.c
s/	r->is_blind = .*/	r->is_blind = false;/

#: lib/sleep/sleep_check.c
/^static COLD void go_blind/,/^}/s/	if (hpt_deadline_is_on_timeline(&sl->asked)) {/	if (0) {/
s/		sl->end.is_known = rec->read.start .*/		sl->end.is_known = false \&\& (sl->asked.kind == HPT_DEADLINE_NS ||/
s/	if (!sl->end.is_blind)$/	if (1)/

#: lib/sleep/kernel_wait.c
s/	if (is_unix \&\& !(/	if (0 \&\& !(/
s/(sl->end.is_known || sl->asked.at > YEAR_NS)/1/
s/(sl->end.is_known || sl->asked.at > YEAR_NS)/sl->end.is_known/
/^static int wait_blindly/,/^}/s/	if (sl->end.is_known)/	if (0)/
s/(sl->end.is_known || sl->asked.kind != HPT_DEADLINE_TICK || stands_still)/(sl->end.is_known || stands_still)/
s/(sl->end.is_known || sl->asked.kind != HPT_DEADLINE_TICK || stands_still)/(sl->asked.kind != HPT_DEADLINE_TICK || stands_still)/
s/(sl->end.is_known || sl->asked.kind != HPT_DEADLINE_TICK || stands_still)/true/
s/(sl->end.is_known || sl->asked.kind != HPT_DEADLINE_TICK || stands_still)/(sl->end.is_known || sl->asked.kind != HPT_DEADLINE_TICK)/
s/ && still < STILL_MOST &&/ \&\&/
/^static COLD int end_blindly/,/^}/s/ && !is_waited(sl, r, still)//
/^static COLD int end_blindly/,/^}/s/		 !hpt_deadline_is_over(sl));/		 true);/
s/			sl->end.is_blind = sl->end.is_known = hpt_sample_is_blind(src);/			;/

#: lib/sleep/kernel_phase.c
s/ || sl->end.is_blind)$/)/

#: lib/sleep/last_word.c
s/((!is_ticks || is_os) \&\& hpt_sample_is_blind/(0 \&\& hpt_sample_is_blind/
s/((!is_ticks || is_os) \&\& hpt_sample_is_blind/(1 \&\& hpt_sample_is_blind/
s/((!is_ticks || is_os) \&\& hpt_sample_is_blind/(!is_ticks \&\& hpt_sample_is_blind/
s/(now_ns || reads < STILL_READS)/now_ns/

#: lib/sleep/look.c
s/now_ns ? hpt_sum(until_ns, -now_ns) : hpt_deadline_left_ns(sl)/hpt_sum(until_ns, -now_ns)/
