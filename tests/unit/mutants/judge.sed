# SPDX-License-Identifier: MIT

#: lib/clock/judge.c
s/facts.expensive = !tsc_is_cheap(clk)/tsc_is_cheap(clk)/
s/facts.interposed = is_interposed(&clk->src);/;/
s/if (!src->env->kernel_ns(CLOCK_MONOTONIC_RAW, &kernel_ns))/if (!src->env->kernel_ns(CLOCK_MONOTONIC_RAW, \&kernel_ns) \&\& 0)/
#: lib/clock/judge.c judge choose
s/clk->src.ops->id != HPT_SOURCE_OS \&\& is_interposed(&clk->src)/0/
#: lib/clock/choose.c judge
s/^\tc->src\[id\].read = clk->src.read; .*$/\t;/
