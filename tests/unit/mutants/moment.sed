# SPDX-License-Identifier: MIT

#: lib/sleep/moment.c
s/return gained_ns > allowed_ns || gained_ns < -allowed_ns;/return gained_ns > allowed_ns;/
s/return gained_ns > allowed_ns || gained_ns < -allowed_ns;/return gained_ns < -allowed_ns;/
s/ + (passed_ns > 0 ? passed_ns \/ HPT_DIVERGED_SHARE : 0);/;/
s/^\t\thpt_timekeeper_resample(clk);/\t\t;/
s/ && now->at.tick >= last->at.tick)/)/
s/now->at.state == HPT_STATE_REANCHORED \&\& //
s/now->at.state == HPT_STATE_REANCHORED \&\& .*/0)/
s/most_ns > 0 && left_ns > most_ns ? most_ns : left_ns/left_ns/
s/most_ns > 0 && left_ns > most_ns ?/left_ns > most_ns ?/
s/hpt_wide_of(mono_ns), now->at.mono_per_tick/hpt_wide_of(mono_ns), last->at.mono_per_tick/
s/was_left), now->at.slope)/was_left), last->at.slope)/
