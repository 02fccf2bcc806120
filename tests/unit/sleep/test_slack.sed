# SPDX-License-Identifier: MIT

#: lib/sleep/slack.c
s/^		env->set_slack_ns(1);/		;/
s/^		env->set_slack_ns(slack_ns);/		;/
/^int64_t hpt_slack_drop/,/^}/s/if (slack_ns > 1)/if (1)/
/^void hpt_slack_restore/,/^}/s/if (slack_ns > 1)/if (1)/
s/if (is_early || left_ns < 0)/if (left_ns < 0)/
s/if (is_early || left_ns < 0)/if (is_early)/
s/h->slack_ns = h->early < EARLY_UNUSED ? 0 : 1;/h->slack_ns = 0;/
s/h->early = is_early ? h->early + 1 : 0;/h->early += is_early;/
s/#define SLACK_SMALL_NS 100000/#define SLACK_SMALL_NS 200000/
/^int64_t hpt_slack_drop/,/^}/s/ask_slack_ns(env, h)/hpt_slack_ns(env, h)/
s/^		h->slack_ns = h->early < EARLY_UNUSED ? slack_ns : 1;/		;/
s/^		h->slack_ns = h->early < EARLY_UNUSED ? slack_ns : 1;/		h->slack_ns = slack_ns;/
s/return h \&\& h->slack_ns > 0 ? h->slack_ns : ask_slack_ns(env, h);/return ask_slack_ns(env, h);/

#: lib/sleep/kernel_phase.c
s/wait_end_ns(sl, ahead_ns + m->slack_ns, /wait_end_ns(sl, ahead_ns, /
s/if (!r \&\& is_worth_waiting(p, left_ns))/if (0)/
