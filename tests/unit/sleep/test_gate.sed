# SPDX-License-Identifier: MIT

#: lib/sleep/gate.c
s/\.key = ticket/.key = hpt_eventcount_value(\&g->eventcount)/
s/later_value(value, 1)/value ^ 1/
s/return value & ~SHUT ? value : value + GATE_GENERATION;/return value;/
s/	if (!g || !ticket)/	if (!g)/
s/s\.flags = g->flags/s.flags = 0/
s/flags & ~(uint32_t)HPT_WAIT_EINTR/0/
s/hpt_object_policy_current(&g->policy)/hpt_policy_current()/
s/s.policy = hpt_policy_never_early(\(.*\));/s.policy = \1;/
s/g->clk = hpt_clock_ref(clk);/g->clk = hpt_clock_default(), g->clk = clk ? clk : g->clk;/
s/^\t\thpt_clock_close(g->clk);/\t\t;/
s/while (unlikely(r > 0) \&\& !hpt_last_word_is_kernels(g->clk, kind));/while (0);/
s/return r < 0 ? r : -ETIMEDOUT;/return r ? r : -ETIMEDOUT;/
s/wait_until(g, ticket, HPT_DEADLINE_NS, ns)/wait_until(g, ticket, HPT_DEADLINE_UNIX_NS, ns)/

#: lib/sleep/last_word.c
s/(is_ticks \&\& is_demoted(clk))/0/
s/(is_ticks \&\& is_demoted(clk))/is_demoted(clk)/
s/now_ns - begun_ns < STILL_NS/now_ns - begun_ns < 1/

#: lib/machine/eventcount.h model-eventcount
/uint64_t word = atomic_fetch_add/,/return/s/if ((uint32_t)word)$/if (!(uint32_t)word)/
s/atomic_fetch_add_explicit(&ec->word, 1, memory_order_relaxed);/(void)ec;/
/hpt_eventcount_change(/,/return true/s/if ((uint32_t)word)$/if (hpt_eventcount_sleepers(ec))/

#: lib/machine/eventcount.h
/hpt_eventcount_change(/,/return true/s/if ((uint32_t)word)$/if (!(uint32_t)word)/
/uint64_t word = atomic_fetch_add/,/return/s/if ((uint32_t)word)$/if (!(uint32_t)word)/
