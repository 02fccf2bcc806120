# SPDX-License-Identifier: MIT

#: lib/sleep/waiter_margin.c
s/hpt_policy_never_early(\(hpt_object_policy_current(&w->policy)\))/hpt_policy_current()/
s/	m.slack_ns = used_slack_ns(.*/	m.slack_ns = 0;/
s/hpt_wait_margins_ahead_ns(&m, left_ns) + m.slack_ns;/hpt_wait_margins_ahead_ns(\&m, left_ns);/
s/	late_ns -= slack_ns;/	;/
s/slack_ns < SLACK_MOST_NS ? slack_ns : SLACK_MOST_NS/slack_ns/
s/	m = margins_of(w, h, 0);/	m = (struct hpt_wait_margins){ .is_learned = true };/
s/	if (!h || woke_at < asked_at || w->clk->src.own_time)/	if (!h || woke_at < asked_at)/
s/	if (!h || woke_at < asked_at || w->clk->src.own_time)/	if (!h || w->clk->src.own_time)/
s/^\t\tlate_ns = INT64_MAX;/\t\tlate_ns = -1;/
s/late_ns > 0 ? late_ns : 0/late_ns/
s/hpt_wait_margins_are_two(&m, left_ns)/false/
s/	if (w->clk->src.own_time) {/	if (0) {/
