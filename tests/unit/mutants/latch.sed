# SPDX-License-Identifier: MIT

#: lib/math/latch.c
s/if (next == 0)/if (0)/
s/return won;/return true;/
s/& bit)$/\& 0)/
s/hpt_latch_slot(current) != slot/1/
s/if (hpt_latch_same(l, seen))/if (1)/
s/if (hpt_latch_slot(current) != slot)/if (!current || hpt_latch_slot(current) != slot)/
s/atomic_store_explicit(&l->stamps\[slot\], next, memory_order_release);/;/
s/next = HPT_LATCH_SLOTS + (uint32_t)slot;/next = HPT_LATCH_SLOTS + 1;/
