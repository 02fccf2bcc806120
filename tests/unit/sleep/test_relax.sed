# SPDX-License-Identifier: MIT

#: lib/sleep/relax.c
s/return HPT_RELAX_UMWAIT;/return HPT_RELAX_PAUSE;/
s/return HPT_RELAX_MWAITX;/return HPT_RELAX_PAUSE;/
s/if (regs\[0\] >= 7)/if (1)/
s/regs\[0\] >= 0x80000001 \&\& //
s/ \&\& regs\[0\] <= 0x8000ffff//
s/if (atomic_load(word) != value)/if (0)/
s/until - now < MOST_TICKS ? until - now : MOST_TICKS/until - now/

#: lib/arch/x86.h
s/\"umwait %%ecx\" : : \"c\"(1)/\"umwait %%ecx\" : : \"c\"(0)/
