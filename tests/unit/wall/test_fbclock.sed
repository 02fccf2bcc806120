# SPDX-License-Identifier: MIT

#: lib/wall/fbclock.c
s/return n < SECTION_SIZE || .*/return true;/
s/!s->error_ns || //
s/!s->ingress_ns || //
s/!s->phc_ns || //
s/ || !s->system_ns)/)/
s/s->error_ns == UINT32_MAX || //
s/ || s->holdover == UINT32_MAX)/)/
s/if (!s->offset_before_s && !s->offset_after_s)/if (0)/
s/!is_time(s->ingress_ns) || //
s/!is_time(s->phc_ns) || //
s/!is_time(s->system_ns) || //
s/s->ingress_ns > s->phc_ns ||$/0 ||/
s/!hpt_leap_is_tai_offset(s->offset_before_s) || //
s/!hpt_leap_is_tai_offset(s->offset_after_s) || //
s/!is_leap(s) ||$/0 ||/
s/(s->clock_id != CLOCK_REALTIME && s->clock_id != CLOCK_MONOTONIC_RAW)/0/
s/return ns > 0 && /return /
s/ && ns < HPT_WALL_MOST_NS;/;/
s/leap >= -1 && leap <= 1 && s/leap <= 1 \&\& s/
s/leap >= -1 && leap <= 1 && s/leap >= -1 \&\& s/
s/s->leap_s > s->offset_before_s &&$/1 \&\&/
s/s->leap_s <= HPT_WALL_MOST_NS \/ NS_PER_S &&$/1 \&\&/
s/ == (leap < 0));/ >= 0);/
s/hpt_ratio_ceiling(/hpt_ratio_floor(/
s/since_ns = s->phc_ns - s->ingress_ns + age.hi_ns/since_ns = age.hi_ns/
s/hpt_sum(s->error_ns, /hpt_sum(0, /
s/window_ns = hpt_sum(window_ns, share_ns(age.hi_ns, rate_ppb, PPB));/;/
s/if (!is_before && tai.lo_ns < leap_ns + LEAP_NEAR_NS)/if (0)/
s/if (!is_before && tai.lo_ns/if (leap \&\& tai.lo_ns/
s/tai.hi_ns < leap_ns - LEAP_NEAR_NS/tai.hi_ns < leap_ns/
s/is_before ? s->offset_before_s : s->offset_after_s/s->offset_after_s/
s/is_before ? s->offset_before_s : s->offset_after_s/s->offset_before_s/
s/leap > 0 ? HPT_WALL_LEAP_INSERTED/leap < 0 ? HPT_WALL_LEAP_INSERTED/
s/ \/ DAY_S \* DAY_S \* NS_PER_S;/ * NS_PER_S;/
s/^	if (!is_raw)/	if (0)/
s/age.lo_ns < 0 || //
s/ || age.hi_ns > AGE_MOST_NS)/)/
s/if (since.is_void)/if (0)/
s/is_raw ? raw_ppb : REALTIME_PPB/raw_ppb/
s/ask->config->rate_ppb > RAW_PPB ? ask->config->rate_ppb : RAW_PPB/RAW_PPB/
s/ask->config->rate_ppb > RAW_PPB ? ask->config->rate_ppb : RAW_PPB/ask->config->rate_ppb/
s/if (!hpt_wall_is_plausible(.*/if (0)/
s/= HPT_WALL_FLAG_CLAIMED;/= 0;/
s/if (n < SECTION_SIZE)/if (0)/
s/hpt_shared_u64(bytes + AT_SEQUENCE) ? judge_segment(ret) : HPT_WALL_REASON_UNSYNCED/judge_segment(ret)/
s/ret->clock_id == CLOCK_MONOTONIC_RAW && hpt/hpt/
s/ret->clock_id == CLOCK_MONOTONIC_RAW && hpt.*/0)/
s/\.is_on_request = true,//
s/	ret->age_ticks = since.age_ticks;/	;/
