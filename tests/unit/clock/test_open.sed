# SPDX-License-Identifier: MIT

#: lib/clock/open.c
s/if (!clk || !atomic_load_explicit(&clk->holders, memory_order_relaxed))/if (!clk)/
s/^\t\tatomic_fetch_add_explicit(&clk->holders, 1, memory_order_relaxed);$/\t\t;/
s/atomic_fetch_sub_explicit(&clk->holders, 1, memory_order_acq_rel) > 1/--clk->holders > 0 \&\& 0/
s/^\tif (atomic_load_explicit(&clk->holders, memory_order_relaxed))$/\tif (1)/
s/!ret || source >= HPT_SOURCE_IDS/source >= HPT_SOURCE_IDS/
s/if (source == HPT_SOURCE_MANUAL)/if (0)/
s/pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel)/cancel = 0/
s/if (!mmio || !ret || !hpt_can_take(.*/if (!mmio || !ret)/
