# SPDX-License-Identifier: MIT

#: lib/source/tsc.c
s/if (src->tsc_forbidden)/if (0)/
s/!cpu.rdtscp && !cpu.sse2/0/
s/if (!cpu.tsc)/if (0)/
