# SPDX-License-Identifier: MIT

#: lib/clock/opener.c
s/if (!clk || !hpt_clock_is_counted(clk))/if (!clk)/
s/atomic_fetch_sub_explicit(&clk->holders, 1, memory_order_acq_rel) != 1/--clk->holders > 0 \&\& 0/
s/pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel)/cancel = 0/
s/^\t\tnote_success(source, clk);$/\t\t;/

#: lib/clock/open.c opener
s/^\thpt_clock_hold(clk);$/\tatomic_fetch_add(\&clk->holders, 1);/
