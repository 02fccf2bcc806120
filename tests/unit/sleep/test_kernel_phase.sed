# SPDX-License-Identifier: MIT

#: lib/sleep/kernel_phase.c
s/else if (m->is_learned)/else/
s/ret->is_learned = !is_late;/ret->is_learned = true;/
s/ret->two_ns = is_late ? WORTH_TWO_LATE_NS : WORTH_TWO_NS;/ret->two_ns = WORTH_TWO_NS;/
s/ret->two_ns = is_late ? WORTH_TWO_LATE_NS : WORTH_TWO_NS;/ret->two_ns = is_late ? INT64_MAX \/ 2 : WORTH_TWO_NS;/
s/HPT_SLEEP_NOSPIN \&\& !hpt_policy_cap_ns(p);/HPT_SLEEP_NOSPIN;/
s/if (left_ns < 0) {/if (0) {/
s/m->habits->waits++;/;/
s/h->oversleep_ns += (uint64_t)-left_ns;/h->oversleep_ns++;/
s/if (hpt_policy_kind(p) == HPT_SLEEP_SPIN) {/if (0) {/
s/size < HPT_SLEEP_INFO_SIZE_V0/size < 8/
s/m.brief_ns < UINT32_MAX ? m.brief_ns : UINT32_MAX/m.brief_ns/
s/m->brief_ns = left_ns \/ 2;/m->brief_ns = left_ns - HPT_LEAST_WAIT_NS;/
s/m->habits->trials = 0;/;/
/^static bool allows_for_slack/,/^}/s/^\t\treturn false;/\t\t;/

#: lib/sleep/sleep.c
s/hpt_policy_kind(sl->s->policy) == HPT_SLEEP_NOSPIN ? hpt_policy_cap_ns(sl->s->policy) : 0/0/
s/hpt_policy_kind(sl->s->policy) == HPT_SLEEP_NOSPIN ? hpt_policy_cap_ns(sl->s->policy) : 0/hpt_policy_cap_ns(sl->s->policy)/

#: lib/sleep/trial.c kernel_phase
s/h->spun++;/;/
s/^\t\thpt_margin_forget(\&h->after_brief);$/\t\t;/
s/if (hpt_margin_samples(\&h->after_brief) > HPT_MARGIN_ENOUGH)/if (1)/
s/h->trials++;/;/
s/return samples > least ? samples : least;/return least;/
