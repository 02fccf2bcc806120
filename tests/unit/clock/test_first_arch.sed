# SPDX-License-Identifier: MIT

#: lib/clock/first.c first_arch
s/if (!clk->is_clocksource || clk->src.ops->kernel_unit_hz/if (clk->src.ops->kernel_unit_hz/
s/stated.num = kernel.mult;/;/;s/stated.den = UINT64_C(1) << kernel.shift;/;/
s/ret->flags |= HPT_RECORD_KERNEL_HZ | HPT_RECORD_STATED;/;/
#: lib/rate/estimate.c first_arch
s/return is_within(uhz, rec->rate.rates) \&\& hpt_rates_error_ppb/return hpt_rates_error_ppb/
s/ \&\& hpt_rates_error_ppb(rec->rate.rates, uhz) <= STATED_PPB//
s/rec->rate.origin == HPT_ORIGIN_REGISTER || rec->flags & HPT_RECORD_STAIRCASE/rec->flags \& HPT_RECORD_STAIRCASE/
s/if (rec->wander_ppb || (!is_stated/if ((!is_stated/
s/(!is_stated(rec, &kernel) \&\& kernel_rates/(kernel_rates/
