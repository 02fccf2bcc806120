# SPDX-License-Identifier: MIT

#: lib/clock/choose.c
s/if (n >= sizeof(b->env_source))/if (0)/
s/b->flags |= HPT_CLOCK_ENV_UNKNOWN/(void)0/
s/b->flags |= HPT_CLOCK_ENV_REFUSED/(void)0/
#: lib/clock/judge.c
s/facts.expensive = !tsc_is_cheap(clk)/tsc_is_cheap(clk)/
s/facts.interposed = is_interposed.*/;/
s/if (!src->env->kernel_ns(CLOCK_MONOTONIC_RAW, &kernel_ns))/if (!src->env->kernel_ns(CLOCK_MONOTONIC_RAW, \&kernel_ns) \&\& 0)/
s/clk->src.ops->id != HPT_SOURCE_OS \&\& is_interposed(&clk->src)/0/
#: lib/clock/choose.c
s/ \&\& c->candidate\[HPT_SOURCE_HPET\].trusted//
s/c->candidate\[id\].usable && id != choice->source/0/
