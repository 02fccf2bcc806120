# SPDX-License-Identifier: MIT

#: lib/clock/choose.c
s/if (n >= sizeof(b->env_source))/if (0)/
s/b->flags |= HPT_CLOCK_ENV_UNKNOWN/(void)0/
s/b->flags |= HPT_CLOCK_ENV_REFUSED/(void)0/
s/ \&\& c->candidate\[HPT_SOURCE_HPET\].trusted//
s/c->candidate\[id\].usable && id != choice->source/0/
s/b->clk.is_vetoed = choice->vetoed;/b->clk.is_vetoed = false;/
s/^\tc->candidate\[HPT_SOURCE_MANUAL\].reason = HPT_REASON_MANUAL;$/\t;/
