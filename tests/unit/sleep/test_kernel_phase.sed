# SPDX-License-Identifier: MIT

#: lib/sleep/kernel_phase.c
s/if (p->is_forbidden || is_spin_useless(.*/if (p->is_forbidden)/
s/if (wake->left_ns < 0) {/if (0) {/
s/p->habits->waits++;/;/
s/h->oversleep_ns += (uint64_t)-wake->left_ns;/h->oversleep_ns++;/
/^static bool allows_for_slack/,/^}/s/^\t\treturn false;/\t\t;/

#: lib/sleep/sleep.c
s/hpt_policy_kind(sl->s->policy) == HPT_SLEEP_NOSPIN ? hpt_policy_cap_ns(sl->s->policy) : 0/0/
s/hpt_policy_kind(sl->s->policy) == HPT_SLEEP_NOSPIN ? hpt_policy_cap_ns(sl->s->policy) : 0/hpt_policy_cap_ns(sl->s->policy)/

#: lib/sleep/habits.h
s/h->slice.kind != HPT_SLICE_SHORT/h->slice.kind != HPT_SLICE_SETTABLE/
s/return policy != HPT_SLEEP_STRICT \&\& /return /
s/^\t       !h->slice.is_short;/\t       true;/
