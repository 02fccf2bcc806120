# SPDX-License-Identifier: MIT

#: lib/source/hpet.c
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

#: lib/source/hi_lo_hi.h
s/uint32_t hi = low\[1\]/int64_t hi = (int32_t)low[1]/;s/uint32_t lo = low\[0\];/int32_t lo = (int32_t)low[0];/
s/if (likely(again == hi))/if (1)/
