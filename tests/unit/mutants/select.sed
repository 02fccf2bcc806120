# SPDX-License-Identifier: MIT

#: lib/clock/select.c
s/h->stddev_ps < o->stddev_ps/h->stddev_ps <= o->stddev_ps/
s/#define DRAW_PERCENT 25/#define DRAW_PERCENT 20/
s/ + (larger % (100 \/ DRAW_PERCENT) != 0)//
s/#define COARSER_TIMES 10/#define COARSER_TIMES 100/
s/ret->vetoed = !c\[requested\].trusted/ret->vetoed = false/
s/ || ret->refused)/)/
s/return c->usable \&\& c->trusted;/return c->usable;/
s/else if (may_win(&c\[HPT_SOURCE_HPET\]))/else if (c[HPT_SOURCE_HPET].usable)/
