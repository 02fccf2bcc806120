# SPDX-License-Identifier: MIT

#: lib/clock/judge.c
s/facts.expensive = !tsc_is_cheap(clk)/tsc_is_cheap(clk)/
s/facts.interposed = is_interposed(&clk->src);/;/
s/if (!src->env->kernel_ns(CLOCK_MONOTONIC_RAW, &kernel_ns))/if (!src->env->kernel_ns(CLOCK_MONOTONIC_RAW, \&kernel_ns) \&\& 0)/
s/	return tsc_is_cheap_in_batches(clk);/	return false;/
s/	return tsc_is_cheap_in_batches(clk);/	return true;/
s/	return repeats \&\& moves ? least : 1;/	return 1;/
s/return facts.own_ticks < facts.twice_os_ticks;/return facts.own_ticks < 4 * facts.twice_os_ticks;/
#: lib/clock/judge.c judge choose
s/clk->src.ops->id != HPT_SOURCE_OS \&\& is_interposed(&clk->src)/0/
#: lib/clock/choose.c judge
s/^\tc->src\[id\].read = clk->src.read; .*$/\t;/
