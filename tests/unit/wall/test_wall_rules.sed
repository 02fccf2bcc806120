# SPDX-License-Identifier: MIT

#: lib/wall/wall_rules.c
s/	return ppb < PPB \/ 2 ? (uint32_t)ppb : PPB \/ 2;/	return (uint32_t)ppb;/
s/limited_ppb(rate_ppb + error_ppb + bent_ppb)/limited_ppb(rate_ppb + bent_ppb)/
s/limited_ppb(2 \* error_ppb + MORE_PPB + bent_ppb)/limited_ppb(error_ppb + MORE_PPB + bent_ppb)/
s/	ret->wander_ppb = limited_ppb(/	ret->wander_ppb = (uint32_t)(/
s/w->config.rate_ppb \&\& w->config.wander_ppb ? 0/w->config.rate_ppb ? 0/
s/	if (w->is_guest \&\&/	if (0 \&\&/
s/(void)hpt_timekeeper_settled(w->clk, &rec);/(void)hpt_timekeeper_current(w->clk, \&rec);/
s/	if (!has_own_time(w) \&\& hpt_record_is_learning(&rec))/	if (0)/
s/	ret->step = .*/	ret->step = 1;/
s/	ret->trusted = w->config.trusted;/	ret->trusted = 0;/
s/	ret->covers_leap = w->covers_leap;/	ret->covers_leap = false;/
s/	look_at_offsets(src, ret);/	;/
s/	ret->asleep_lo_ns = boot_ns - after_ns;/	ret->asleep_lo_ns = boot_ns - before_ns;/
