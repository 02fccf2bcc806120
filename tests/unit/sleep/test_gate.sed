# SPDX-License-Identifier: MIT

#: lib/sleep/gate.c
s/\.key = ticket/.key = hpt_eventcount_value(\&g->eventcount)/
s/value, value + 1, env/value, value ^ 1, env/
s/s\.flags = g->flags/s.flags = 0/
s/flags & ~HPT_WAIT_EINTR/0/
s/hpt_object_policy_current(&g->policy)/hpt_policy_current()/
s/g->clk = hpt_clock_ref(clk);/g->clk = hpt_clock_default(), g->clk = clk ? clk : g->clk;/
s/^\t\thpt_clock_close(g->clk);/\t\t;/

#: lib/machine/eventcount.h model-eventcount
/uint64_t word = atomic_fetch_add/,/return/s/if ((uint32_t)word)$/if (!(uint32_t)word)/
s/atomic_fetch_add_explicit(&ec->word, 1, memory_order_relaxed);/(void)ec;/
/hpt_eventcount_change(/,/return true/s/if ((uint32_t)word)$/if (hpt_eventcount_sleepers(ec))/

#: lib/machine/eventcount.h
/hpt_eventcount_change(/,/return true/s/if ((uint32_t)word)$/if (!(uint32_t)word)/
/uint64_t word = atomic_fetch_add/,/return/s/if ((uint32_t)word)$/if (!(uint32_t)word)/
