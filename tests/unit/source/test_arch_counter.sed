# SPDX-License-Identifier: MIT

#: lib/source/arch_counter.c
s/if (src->tsc_forbidden)/if (0)/
s/if (~env->auxval(AT_HWCAP) & ARCH_COUNTER_HWCAP)/if (0)/
s/if (env->auxval(AT_HWCAP2) & ARCH_COUNTER_SYNCED_HWCAP2)/if (0)/
s/if (env->auxval(AT_HWCAP2) & ARCH_COUNTER_SYNCED_HWCAP2)/if (1)/
s/	src->orders = src->order;/	src->orders = HPT_OWN_FIRST;/
s/	return HPT_OWN_FIRST;/	return HPT_OWN_SECOND;/
s/if (!hpt_source_is_counting(src))/if (0)/
s/^\tif (!hz)$/\tif (1)/
s/hz < HZ_MIN || //
s/ || hz > HZ_MAX//
s/\.kernel_unit_hz = HPT_KERNEL_HZ/.kernel_unit_hz = HPT_KERNEL_KHZ/
