# SPDX-License-Identifier: MIT

#: lib/source/tsc.c
s/if (src->tsc_forbidden)/if (0)/
s/!cpu.rdtscp && !cpu.sse2/0/
s/if (!cpu.tsc)/if (0)/
s/cpu.lfence_orders || !cpu.rdtscp ? /1 ? /
s/cpu.lfence_orders || !cpu.rdtscp ? /cpu.lfence_orders ? /
s/cpu.lfence_orders || !cpu.rdtscp ? /!cpu.rdtscp ? /
s/src->rdtscp = cpu.rdtscp ? hpt_tsc_read_rdtscp : NULL;/src->rdtscp = hpt_tsc_read_rdtscp;/
s/src->read = cpu.rdtscp ? src->rdtscp : src->lfence;/src->read = src->lfence;/
