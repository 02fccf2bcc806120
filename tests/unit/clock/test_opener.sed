# SPDX-License-Identifier: MIT

#: lib/clock/opener.c
s/if (!clk || !atomic_load_explicit(&clk->holders, memory_order_relaxed))/if (!clk)/
s/atomic_fetch_sub_explicit(&clk->holders, 1, memory_order_acq_rel) > 1/--clk->holders > 0 \&\& 0/
s/pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel)/cancel = 0/
s/^\t\tnote_success(source, clk);$/\t\t;/

#: lib/clock/open.c opener
s/^\t\tatomic_fetch_add_explicit(&clk->holders, 1, memory_order_relaxed);$/\t\t;/
s/^\tif (atomic_load_explicit(&clk->holders, memory_order_relaxed))$/\tif (1)/
