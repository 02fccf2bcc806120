# SPDX-License-Identifier: MIT

#: lib/wall/realtime.c
s/	if (!hpt_clock_is_interposed(clk))/	if (1)/
s/		r = -EPERM;/		r = 0;/
s/^	errno = saved;/	;/
s/		r = hpt_realtime_read(clk, CLOCK_MONOTONIC, &ret->mono_before_ns);/		r = 0;/
s/return of_a < of_b;/return false;/
s/if (!i || is_narrower(&mark, ret))/if (1)/
s/	if (ask->clk->src.own_time)/	if (0)/
s/rec.granularity.ref_ns ? (int64_t)rec.granularity.ref_ns : 1/1/
s/(ns % PPB \* ppb + PPB - 1)/(ns % PPB * ppb \/ 2)/
s/return 2 \* larger(a->step_ns, b->step_ns)/return 0/
s/return moved_lo_ns > stale_ns(a, b) || /return /
s/ || moved_hi_ns < -stale_ns(a, b);/;/
s/if (ns < 0 || is_set/if (is_set/
s/ns < 0 || is_set(a, b) || /ns < 0 || /
s/ || least_ns > share(ns, SLEW_PPB))/)/
s/return larger(most_ns, share(ns, STEADY_PPB));/return most_ns;/
s/return larger(most_ns, share(ns, STEADY_PPB));/return share(ns, STEADY_PPB);/
s/(share(ns, SLEW_PPB) + most_ns + 1) \/ 2)/most_ns)/
s/	if (moved_ns < 0)/	if (0)/
s/off_ns = moved_ns + a->step_ns +/off_ns = a->step_ns +/
s/share(elapsed_ns(a, b), ask->config->rate_ppb ? ask->config->rate_ppb : HPT_WALL_RATE_PPB)/share(elapsed_ns(a, b), HPT_WALL_RATE_PPB)/
s/share(elapsed_ns(a, b), ask->config->rate_ppb ? ask->config->rate_ppb : HPT_WALL_RATE_PPB)/0/
s/	if (!hpt_wall_is_plausible(lo_ns, hi_ns))/	if (0)/
s/ret->after = (hpt_time_t)a->after;/ret->after = (hpt_time_t)b->after;/
s/hpt_sum(hpt_sum(a->unix_ns, lo_ns)/hpt_sum(hpt_sum(b->unix_ns, lo_ns)/
