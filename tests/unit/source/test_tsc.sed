# SPDX-License-Identifier: MIT

#: lib/source/tsc.c
s/if (src->tsc_forbidden)/if (0)/
s/!cpu.rdtscp && !cpu.sse2/0/
s/if (!cpu.tsc)/if (0)/
s/cpu.lfence_orders || !cpu.rdtscp ? /1 ? /
s/cpu.lfence_orders || !cpu.rdtscp ? /cpu.lfence_orders ? /
s/cpu.lfence_orders || !cpu.rdtscp ? /!cpu.rdtscp ? /
s/(cpu.rdtscp ? HPT_OWN_FIRST : 0) |/HPT_OWN_FIRST |/
s/hpt_own_set_order(src, cpu.rdtscp ? HPT_OWN_FIRST : HPT_OWN_SECOND)/hpt_own_set_order(src, HPT_OWN_SECOND)/
