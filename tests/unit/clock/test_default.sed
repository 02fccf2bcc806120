# SPDX-License-Identifier: MIT

#: lib/clock/default.c
s/^\thpt_choose_os(&hpt_once.reserve, hpt_world.env);$/\t;/
s/if (slot >= HPT_BOOT_POOL)/if (slot > HPT_BOOT_POOL + 100)/
s/atomic_fetch_or(&hpt_once.source, HPT_DEFAULT_FIXED)/atomic_load(\&hpt_once.source)/
s/^\tatomic_store_explicit(&hpt_once.dflt, clk, memory_order_release);$/\t;/
s/r = now & HPT_DEFAULT_FIXED ? 0 : make_default(source);/r = make_default(source);/
s/^\twhile (!(now & HPT_DEFAULT_FIXED))$/\twhile (1)/
s/atomic_compare_exchange_weak(&hpt_once.source, &now, source)/(atomic_store(\&hpt_once.source, source), 1)/
s/== (source | HPT_DEFAULT_FIXED) ? 0 : -EBUSY/== source ? 0 : -EBUSY/
s/^\tif (source == hpt_booted()->clk.src.ops->id)$/\tif (0)/
s/^\tatomic_store(&clk->holders, 0);$/\t;/
s/|| atomic_load(&made_default\[source\])/|| 0/
s/if (source == HPT_SOURCE_MANUAL)/if (0)/

#: lib/clock/info.c
s/^\tstatus->reason = dflt->reason;$/\t;/
s/dflt = hpt_default_now();/dflt = hpt_clock_default();/
s/clk == atomic_load(&hpt_once.dflt))/clk == hpt_clock_default())/

#: lib/clock/default.h
s/if (unlikely(clk \&\& clk != atomic_load_explicit(&hpt_once.dflt, memory_order_relaxed)))/if (0)/

#: lib/clock/default.c
s/clk->src.order, memory_order_relaxed/hpt_booted()->clk.src.order, memory_order_relaxed/
s/clk->src.order, memory_order_relaxed/0, memory_order_relaxed/
