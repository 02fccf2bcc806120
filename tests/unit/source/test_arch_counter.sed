# SPDX-License-Identifier: MIT

#: lib/source/arch_counter.c
s/if (src->tsc_forbidden)/if (0)/
s/if (~env->auxval(AT_HWCAP) & ARCH_COUNTER_HWCAP)/if (0)/
s/if (env->auxval(AT_HWCAP2) & ARCH_COUNTER_SYNCED_HWCAP2)/if (0)/
s/if (env->auxval(AT_HWCAP2) & ARCH_COUNTER_SYNCED_HWCAP2)/if (1)/
s/src->read = hpt_arch_read_ordered;/src->read = hpt_arch_read_plain;/
s/src->read_unordered = hpt_arch_read_plain;/src->read_unordered = hpt_arch_read_ordered;/
s/return arch_counter_synced();/return arch_counter_ordered();/
s/if (!hpt_source_is_counting(src))/if (0)/
s/^\tif (!hz)$/\tif (1)/
s/hz < HZ_MIN || //
s/ || hz > HZ_MAX//
s/\.kernel_unit_hz = HPT_KERNEL_HZ/.kernel_unit_hz = HPT_KERNEL_KHZ/
