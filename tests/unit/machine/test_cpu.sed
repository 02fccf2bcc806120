# SPDX-License-Identifier: MIT

#: lib/machine/cpu.c
s/reg >> 8 \* i/reg >> 8 * (3 - i)/
s/ret->hypervisor_id + 4 \* (reg - EBX)/ret->hypervisor_id + 4 * (EDX - reg)/
s/(r\[EAX\] & 0xffff0000) == 0x80000000/1/
s/ext >= 0x80000007/ext >= 0x80000001/
s/if (family == 15)/if (1)/
s/if (family >= 6)/if (1)/
s/while (i < 12 \&\& a\[i\] == b\[i\])/while (i < 11 \&\& a[i] == b[i])/
s/return i == 12;/return i >= 7;/
s/if (!cpu->sse2 || vendor == VENDORS)/if (vendor == VENDORS)/
s/ || ext < 0x80000021)$/ || ext < 0x80000020)/
s/LFENCE_BY_BIT || ext/LFENCE_UNKNOWN || ext/
s/"zhaoxin", LFENCE_ORDERS/"zhaoxin", LFENCE_UNKNOWN/
s/"hygon", LFENCE_BY_BIT/"hygon", LFENCE_ORDERS/
s/^#define EXT21_EAX_LFENCE     (UINT32_C(1) << 2)/#define EXT21_EAX_LFENCE (UINT32_C(1) << 6)/
s/family < 0x10 || family >= 0x19/family < 0x11 || family >= 0x19/
s/family < 0x10 || family >= 0x19/family < 0x10 || family >= 0x18/
s/n \&\& ret\[n - 1\] != ' '/1/
s/0x0e, 0x3a/0x0e, 0x3b/
s/r\[EAX\] < 0x15/r[EAX] < 0x14/
s/return r\[EAX\] \&\& r\[EBX\] ? /return r[EBX] ? /
s/return hz ? hz : read_hypervisor_hz/return read_hypervisor_hz/
s/if (!(r\[ECX\] >> 31))/if (0)/
s/r\[EAX\] < 0x40000010 || //
s/ || r\[EAX\] > 0x4000ffff//
s/return (uint64_t)r\[EAX\] \* 1000;/return r[EAX] * 1000;/
