# SPDX-License-Identifier: MIT

#: lib/rate/calibrate.c calibrate calibrate_stated
s/(ns - lag_ns) < \*hi)/(ns - lag_ns) < *hi \&\& 0)/
s/lag_ns = (double)lag.ref_ns;/lag_ns = 1;/
s/if (!lag.ref_ns || /if (/
s/ || !lag.ticks)/)/
s/if (lo > hi || /if (/
s/b->before - a->after/b->after - a->after/
s/(b->after - a->before) + (double)lag.ticks/(b->after - a->before)/
s/(b->before - a->after) - (double)lag.ticks/(b->before - a->after)/
s/off > part + far || //
s/ || off < -part - far//
s/off > part + far/off > far/
s/if (off > part || off < -part)/if (off < -part)/
s/if (off > part || off < -part)/if (off > part)/
s/(part + (off < 0 ? -off : off))/(part)/
s/(double)stated->frequency_uhz \* 1e9 + 1;/f * 1e9 + 1;/
s/measured->error_ppb = error_ppb < (double)UINT32_MAX ? (uint32_t)error_ppb : UINT32_MAX;/measured->error_ppb = (uint32_t)error_ppb;/
s/fit->refs.readings >= HPT_FIT_BRACKETS_MIN \&\& //
s/moves->repeats \&\& moves->least ? /moves->least ? /
s/moves->least + 2 \* moves->divisor : 1/moves->least : 1/
s/rate < RATE_MIN || //
s/ || rate > RATE_MAX//
s/#define RATE_MIN 1e-6/#define RATE_MIN 1e-7/
s/#define RATE_MAX 100.0/#define RATE_MAX 1000.0/
s/double rate = ns > 0 ? /double rate = ns ? /
s/= (uint64_t)(int64_t)(rate \* (double)HPT_UHZ_PER_GHZ);/= HPT_UHZ_PER_GHZ;/
s/if (fit->kernel_unit_hz)/if (1)/
s/if (fit->kernel_unit_hz)/if (0)/
s/rate->error_ppb = hpt_rates_error_ppb(proven, rate->frequency_uhz);/;/
s/if (!can_tell_rates(.*/if (0)/
s/#define OPEN_NS 0.05/#define OPEN_NS 0.055/
s/#define OPEN_NS 0.05/#define OPEN_NS 0.018/
s/^\treturn (double)apart_ns \* unit_hz/\treturn (double)apart_ns/
s/ \&\& !rate->is_kernels; tries++)/; tries++)/
