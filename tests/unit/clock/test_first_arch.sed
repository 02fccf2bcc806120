# SPDX-License-Identifier: MIT

#: lib/clock/first.c first_arch
s/if (!clk->is_clocksource || clk->src.ops->kernel_unit_hz/if (clk->src.ops->kernel_unit_hz/
s/stated.num = kernel.mult;/;/;s/stated.den = UINT64_C(1) << kernel.shift;/;/
s/ret->rate.flags = HPT_ESTIMATE_KERNEL_HZ | HPT_ESTIMATE_STATED;/;/
#: lib/rate/estimate.c first_arch
s/return is_within(uhz, est->rates) \&\& hpt_rates_error_ppb/return hpt_rates_error_ppb/
s/ \&\& hpt_rates_error_ppb(est->rates, uhz) <= STATED_PPB//
s/est->origin == HPT_ORIGIN_REGISTER || est->flags & HPT_ESTIMATE_STAIRCASE/est->flags \& HPT_ESTIMATE_STAIRCASE/
s/if (est->wander_ppb || (!is_stated/if ((!is_stated/
s/(!is_stated(est, &kernel) \&\& kernel_rates/(kernel_rates/
