# SPDX-License-Identifier: MIT

#: lib/clock/now.c
s/atomic_load_explicit(&clk->now_ns_unordered, /atomic_load_explicit(\&clk->now_ns, /
s/^\tif (likely(clk->src.orders \& HPT_OWN_FIRST)) {$/\tif (0) {/
s/cpu &= 0xfff;/cpu \&= 0xffff0000;/
s/^\tif (ret_cpu)$/\tif (1)/

#: lib/clock/read.c
s/return now_by_read(clk, clk->src.read_unordered, LINE_NS/return now_by_read(clk, clk->src.read, LINE_NS/
s/is_exact ? os_now_ns : now_ns_unordered/now_ns_unordered/
s/clk->src.order == HPT_OWN_FIRST/clk->src.order != HPT_OWN_FIRST/
s/return own_now(clk, slot, order, LINE_NS, WORD_AT_NS);/return own_now(clk, slot, order, LINE_NS, HPT_READ_MONOTONIC);/
s/OWN_READ(bare_ns, HPT_OWN_BARE, slot)$/OWN_READ(bare_ns, HPT_OWN_FIRST, 0)/
s/^\tatomic_store_explicit(&clk->now_ns_unordered, reads.bare_ns, memory_order_release);$/\t;/
s/is_first ? first_os_ns_##slot/is_first ? first_os_ns_0/
s/), frac = hpt_word_load(&words\[line + TO_SLOPE_FRAC\]);/), frac = hpt_word_load(\&words[LINE_NS + TO_SLOPE_FRAC]);/
s/uint64_t at_ns = hpt_word_load(&words\[at\]),/uint64_t at_ns = hpt_word_load(\&words[line + 2]),/
s/^\tatomic_store_explicit(&clk->now_os_ns, reads.os_ns, memory_order_release);$/\t;/
