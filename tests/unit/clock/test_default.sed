# SPDX-License-Identifier: MIT

#: lib/clock/default.c
s/^\thpt_choose_os(&hpt_once.reserve, hpt_world.env);$/\t;/
s/if (slot >= HPT_BOOT_POOL)/if (slot > HPT_BOOT_POOL + 100)/
s/atomic_fetch_or(&hpt_once.wanted, HPT_DEFAULT_FIXED)/atomic_load(\&hpt_once.wanted)/
s/^\tatomic_store_explicit(&hpt_once.dflt, clk, memory_order_release);$/\t;/
s/^	if (now & HPT_DEFAULT_FIXED)$/	if (0)/
s/^\twhile (!(now & HPT_DEFAULT_FIXED))$/\twhile (1)/
s/atomic_compare_exchange_weak(&hpt_once.wanted, &now, clk)/(atomic_store(\&hpt_once.wanted, clk), 1)/
s/return clock_for(now) == clock_for(clk) ? 0 : -EBUSY;/return -EBUSY;/
s/return clock_for(now) == clock_for(clk) ? 0 : -EBUSY;/return 0;/
s/->src.ops->id == source ? 0 : -EBUSY/->src.ops->id == source ? 0 : 0/
s/^\tif (source == hpt_booted()->clk.src.ops->id)$/\tif (0)/
s/^\t\thold_for_good(clk);$/\t\t;/
s/	if (!hpt_clock_is_counted(clk) || /	if (/
s/	clk->next_held = atomic_load(&held);/	clk->next_held = NULL;/
/^static COLD int make_default/,/^}/s/^\t\thpt_clock_close(clk);$/\t\t;/
/^COLD int hpt_clock_set_default(/,/^}/s/^\t\thpt_clock_close(clk);$/\t\t;/
/^COLD int hpt_clock_set_default(/,/^}/s/^\thpt_clock_hold(clk);$/\t;/
s/^\tif (\*ret)$/\tif (0)/
s/if (source == HPT_SOURCE_MANUAL)/if (0)/

#: lib/clock/info.c
s/^\tstatus->usable = 1;$/\t;/
s/^\tstatus->stage = HPT_STAGE_USABLE;$/\t;/
s/^\tstatus->error = 0;$/\tstatus->error = 1;/
s/^\tstatus->reason = dflt->reason;$/\t;/
s/dflt = hpt_default_now();/dflt = hpt_clock_default();/
s/clk == atomic_load(&hpt_once.dflt))/clk == hpt_clock_default())/

#: lib/clock/default.h
s/if (unlikely(clk \&\& clk != atomic_load_explicit(&hpt_once.dflt, memory_order_relaxed)))/if (0)/

#: lib/clock/default.c
s/first_tick_order(&clk->src), memory_order_relaxed/first_tick_order(\&hpt_booted()->clk.src), memory_order_relaxed/
s/first_tick_order(&clk->src), memory_order_relaxed/0, memory_order_relaxed/
s/if (src->orders & HPT_OWN_SECOND)/if (1)/
s/if (src->orders & HPT_OWN_SECOND)/if (0)/
