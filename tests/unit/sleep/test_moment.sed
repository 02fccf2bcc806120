# SPDX-License-Identifier: MIT

#: lib/sleep/moment.c
s/return gained_ns > allowed_ns || gained_ns < -allowed_ns;/return gained_ns > allowed_ns;/
s/return gained_ns > allowed_ns || gained_ns < -allowed_ns;/return gained_ns < -allowed_ns;/
s/ + (passed_ns > 0 ? passed_ns \/ HPT_DIVERGED_SHARE : 0);/;/
s/^\t\thpt_timekeeper_resample(clk);/\t\t;/
s/ && now->at.tick >= last->at.tick &&/ \&\&/
s/(now->at.state == HPT_STATE_REANCHORED || now->is_os) \&\& //
s/	if ((now->at.state == HPT_STATE_REANCHORED || now->is_os) \&\& now->at.tick >= last->at.tick \&\&/	if (0 \&\&/
s/most_ns > 0 && left_ns > most_ns ? most_ns : left_ns/left_ns/
s/most_ns > 0 && left_ns > most_ns ?/left_ns > most_ns ?/
s/hpt_wide_of(mono_ns), now->at.mono_per_tick/hpt_wide_of(mono_ns), last->at.mono_per_tick/
s/most_ns), now->at.slope)/most_ns), last->at.slope)/
s/now->at.slope), HPT_MOMENT_OPEN_NS);/now->at.slope), 0);/
s/hpt_scale_round(left_ns, last->at.tick_per_ns), mono_ns;/hpt_scale_round(left_ns, now->at.tick_per_ns), mono_ns;/
s/passed_ns = difference(now->mono_ns, last->mono_ns),/passed_ns = (int64_t)((uint64_t)now->mono_ns - (uint64_t)last->mono_ns),/
