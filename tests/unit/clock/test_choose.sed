# SPDX-License-Identifier: MIT

#: lib/clock/choose.c
s/if (n >= sizeof(b->env_source))/if (0)/
s/b->flags |= HPT_CLOCK_ENV_UNKNOWN/(void)0/
s/b->flags |= HPT_CLOCK_ENV_REFUSED/(void)0/
s/return c->candidate\[id\].usable \&\& c->candidate\[id\].trusted;/return c->candidate[id].usable;/
s/ \&\& !may_be_chosen(c, HPT_SOURCE_OWN)//
s/if (hpt_source_find(HPT_SOURCE_MMIO) \&\& !c->env->getenv("HPT_MMIO"))/if (0)/
s/(requested == HPT_SOURCE_MMIO || c->env->getenv("HPT_MMIO"))/c->env->getenv("HPT_MMIO")/
s/(requested == HPT_SOURCE_MMIO || c->env->getenv("HPT_MMIO"))/requested == HPT_SOURCE_MMIO/
s/c->candidate\[id\].usable && id != choice->source/0/
s/b->clk.is_vetoed = choice->vetoed;/b->clk.is_vetoed = false;/
s/^\tc->candidate\[HPT_SOURCE_MANUAL\].reason = HPT_REASON_MANUAL;$/\t;/
