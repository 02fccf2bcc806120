# SPDX-License-Identifier: MIT

#: lib/rate/kernel_rate.c
s/#define KERNEL_SECONDS 600/#define KERNEL_SECONDS 500/
s/ + khz \/ 2)/)/
s/^\t\troom--;$/\t\t;/
s/(rate.shift ? s.frac >> (64 - rate.shift) : 0)/(s.frac >> (64 - rate.shift))/
s/last > UINT32_MAX \/ step_khz || //
s/n > 1 ? n - 1 : 1/n - 1/
s/uhz < lo_uhz || //
s/ || uhz > hi_uhz//
s/if (found.mult \&\& (.*/if (found.mult)/
s/if (found.mult \&\& (.*/if (0)/
s/if (!found.mult)/if (0)/
s/hi_uhz, KHZ_PER_MHZ, ret/hi_uhz, 1, ret/
