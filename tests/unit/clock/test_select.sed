# SPDX-License-Identifier: MIT

#: lib/clock/select.c
s/r->stddev_ps < o->stddev_ps/r->stddev_ps <= o->stddev_ps/
s/#define DRAW_PERCENT 25/#define DRAW_PERCENT 20/
s/ + (larger % (100 \/ DRAW_PERCENT) != 0)//
s/#define COARSER_TIMES 10/#define COARSER_TIMES 100/
s/ret->vetoed = !c\[requested\].trusted/ret->vetoed = false/
s/ || ret->refused)/)/
s/return c->usable \&\& c->trusted;/return c->usable;/
s/else if (may_win(&c\[rival\]))/else if (c[rival].usable)/
s/may_win(&c\[HPT_SOURCE_MMIO\]) ? HPT_SOURCE_MMIO :/c[HPT_SOURCE_MMIO].usable ? HPT_SOURCE_MMIO :/
s/if (c\[HPT_SOURCE_MMIO\].usable)/if (0)/
