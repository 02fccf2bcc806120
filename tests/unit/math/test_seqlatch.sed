# SPDX-License-Identifier: MIT

#: lib/math/seqlatch.c
s/if (next == 0)/if (0)/
s/return won;/return true;/
s/, memory_order_relaxed)) != slot)/, memory_order_relaxed)) != HPT_SEQLATCH_SLOTS)/
s/slot = claim_any(l, process, true);/;/
s/holder == 0 || holder == process : holder != 0/holder == 0 : holder != 0/
s/holder == 0 || holder == process : holder != 0/holder == process : 0/
s/ ? 0 : -EAGAIN;/ ? 0 : -EBUSY;/
s/if (hpt_seqlatch_same(l, seen))/if (1)/
s/atomic_store_explicit(&l->stamps\[slot\], next, memory_order_release);/;/
s/next = HPT_SEQLATCH_SLOTS + (uint32_t)slot;/next = HPT_SEQLATCH_SLOTS + 1;/
s/if (!seen || hpt_seqlatch_stamp(l, slot) != seen)/if (0)/;s/return atomic_load_explicit(&l->stamps\[slot\], memory_order_relaxed) == seen;/return true;/
s/	if (atomic_load_explicit(&l->claims\[slot\], memory_order_acquire))/	if (0)/

#: lib/math/seqlatch.c model-seqlatch
s/^\tatomic_thread_fence(memory_order_release);/\t;/
s/	if (!atomic_compare_exchange_strong_explicit(&l->claims/	if (0 \&\& !atomic_compare_exchange_strong_explicit(\&l->claims/
s/, memory_order_relaxed)) != slot)/, memory_order_relaxed)) != HPT_SEQLATCH_SLOTS)/

#: lib/math/seqlatch.h model-seqlatch
s/^\tatomic_thread_fence(memory_order_acquire);/\t;/
