# SPDX-License-Identifier: MIT

#: lib/source/hpet.c
s/static uint32_t load32/static int32_t load32/;s/uint32_t hi = load32/int64_t hi = load32/;s/uint32_t lo = load32(src, REG_COUNTER);/int32_t lo = load32(src, REG_COUNTER);/
s/if (likely(again == hi))/if (1)/
s/return stage == HPT_STAGE_MAP ? HPT_REASON_HPET_NO_MMAP : .*/return HPT_REASON_HPET_NO_MMAP;/
s/#define CARRY_MARGIN 0x10000u/#define CARRY_MARGIN 0u/
s/if (single_load_works(src))/if (1)/
s/if (v < before || v > after)/if (v < before)/
s/!(caps & CAPS_64BIT)/!(caps >> 13)/
s/if (caps == UINT32_MAX && period == UINT32_MAX)/if (0)/
s/period < PERIOD_MIN_FS || //
s/ || period > PERIOD_MAX_FS//
s/& CONFIG_ENABLE/\& 2/
s/if (!hpt_source_is_counting(src))/if (0)/
s/m ? m + 1 : BEING_MADE/BEING_MADE/
s/r ? 0 : (uintptr_t)page | 1/(uintptr_t)page | 1/
s/^\t\thpet_close(src);$/\t\t;/
s/return r == -HPT_ENOTDEVICE ? -ENODEV : r;/return r;/
