# SPDX-License-Identifier: MIT

#: lib/rate/kernel_rate.c
s/#define KERNEL_SECONDS 600/#define KERNEL_SECONDS 500/
s/ + rate \/ 2)/)/
s/^\t\troom--;$/\t\t;/
s/KERNEL_SECONDS \* unit_hz \* rate/KERNEL_SECONDS * 1000 * rate/
s/((uint64_t)NS_PER_S \/ unit_hz << shift)/((uint64_t)NS_PER_S \/ 1000 << shift)/
s/mult > UINT32_MAX - (uint32_t)(mult \* UINT64_C(11) \/ 100)/0/
s/UINT64_C(11) \/ 100/UINT64_C(10) \/ 100/
s/.shift = shift - half/.shift = shift/
s/ + (HPT_UHZ_PER_GHZ % rate.mult << rate.shift) \/ rate.mult//
s/if (lo_uhz > hi_uhz)/if (0)/
s/last > UINT32_MAX || //
s/RATES_MAX + 2 \* more/RATES_MAX/
s/more = (last >> ROUNDING_SHIFT) + 2;/more = 2;/
s/n > more ? n - more : 1/n/
s/uhz < lo_uhz || //
s/ || uhz > hi_uhz//
s/if (found.mult \&\& (.*/if (found.mult)/
s/if (found.mult \&\& (.*/if (0)/
s/if (!found.mult)/if (0)/
