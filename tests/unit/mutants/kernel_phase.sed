# SPDX-License-Identifier: MIT

#: lib/sleep/kernel_phase.c
/^static void learn/,/^}/s/if (hpt_policy_kind(sl->s->policy) != HPT_SLEEP_SPIN)/if (1)/
s/if (left_ns < 0) {/if (0) {/
s/m->habits->waits++;/;/
s/h->oversleep_ns += (uint64_t)-left_ns;/h->oversleep_ns++;/
s/h->spun++;/;/
s/if (hpt_policy_kind(p) == HPT_SLEEP_SPIN) {/if (0) {/
s/size < HPT_SLEEP_INFO_SIZE_V0/size < 8/
s/m.brief_ns < UINT32_MAX ? m.brief_ns : UINT32_MAX/m.brief_ns/
s/^\thpt_margin_forget(\&h->after_brief);$/\t;/

#: lib/sleep/sleep.c
s/hpt_policy_kind(sl->s->policy) == HPT_SLEEP_NOSPIN ? hpt_policy_cap_ns(sl->s->policy) : 0/0/
s/hpt_policy_kind(sl->s->policy) == HPT_SLEEP_NOSPIN ? hpt_policy_cap_ns(sl->s->policy) : 0/hpt_policy_cap_ns(sl->s->policy)/
