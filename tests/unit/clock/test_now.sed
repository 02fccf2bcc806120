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
s/OWN_READ(bare_ns, HPT_OWN_BARE, slot, LINE_NS,/OWN_READ(bare_ns, HPT_OWN_BARE, slot, LINE_UNIX,/
s/OWN_READ(first_unix_ns, HPT_OWN_FIRST, slot, LINE_UNIX,/OWN_READ(first_unix_ns, HPT_OWN_FIRST, slot, LINE_NS,/
s/OWN_READ(second_unix_ns, HPT_OWN_SECOND, slot, LINE_UNIX,/OWN_READ(second_unix_ns, HPT_OWN_SECOND, slot, LINE_NS,/
s/^\tatomic_store_explicit(&clk->now_ns_unordered, reads.bare_ns, memory_order_release);$/\t;/
s/is_first ? first_unix_ns_##slot/is_first ? first_unix_ns_0/
