# SPDX-License-Identifier: MIT

#: lib/clock/judge.c choose_arch
s/if (src->ops->id == HPT_SOURCE_ARCH)/if (0)/
/^static COLD struct hpt_verdict judge_arch/,/^}/s/facts.interposed = is_interposed(src);/;/
s/if (ret->is_clocksource) {/if (0) {/
s/n < COST_CALLS_MAX \&\& ticks_of_clock/0 \&\& ticks_of_clock/
s/#define COST_STEPS     32/#define COST_STEPS     1/
s/tries < COST_TRIES; tries++) {/tries < 1; tries++) {/
s/src->clock_ns, 2 \* n)/src->clock_ns, n)/
s/ticks_of_clock(src, raw_ns, n));/ticks_of_clock(src, src->clock_ns, n));/
s/ret->own_ticks = shorter(ret->own_ticks, .*/ret->own_ticks = 0;/
s/ret->is_clocksource = kernel == HPT_KERNEL_AGREES;/ret->is_clocksource = true;/
#: lib/clock/choose.c choose_arch
s/try_source(c, HPT_SOURCE_OWN, /try_source(c, HPT_SOURCE_TSC, /
s/if (choice->source == HPT_SOURCE_OWN)/if (choice->source == HPT_SOURCE_TSC)/
#: lib/clock/select.c choose_arch
s/own == HPT_SOURCE_TSC ? HPT_REASON_BETTER_TSC : HPT_REASON_BETTER_ARCH/HPT_REASON_BETTER_TSC/
s/may_win(&c\[HPT_SOURCE_TSC\]) ? HPT_SOURCE_TSC : HPT_SOURCE_ARCH/HPT_SOURCE_TSC/
#: lib/clock/check.c choose_arch
s/if ((!is_tsc(clk) \&\& clk->src.ops->id != HPT_SOURCE_ARCH) || /if (!is_tsc(clk) || /
s/hpt_kernel_clocksource(clk->src.env, clk->src.ops->clocksource, /hpt_kernel_clocksource(clk->src.env, "tsc", /
#: lib/clock/read.c choose_arch
s/#define OWN_SPAN               WORD_LINE_SPAN/#define OWN_SPAN WORD_FAST_SPAN/
s/#define OWN_WHOLE(words, line) hpt_word_load(&(words)\[line\])/#define OWN_WHOLE(words, line) 0/
s/clk->src.order == HPT_OWN_FIRST/clk->src.order != HPT_OWN_FIRST/
