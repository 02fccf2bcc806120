# SPDX-License-Identifier: MIT

#: lib/clock/first.c first_provisional
s/least_ns < HPT_BASELINE_NS \&\& clk->is_clocksource \&\& /least_ns < HPT_BASELINE_NS \&\& /
s/(ret->is_short \&\& !is_good(ret))/0/
s/rate.error_ppb <= PROVISIONAL_MOST_PPB/rate.error_ppb/
s/found->granularity.ticks <= found->rate.frequency_uhz/1 <= found->rate.frequency_uhz/
s/		ret->flags |= HPT_RECORD_PROVISIONAL;/		;/
s/find_first_rate(clk, HPT_BASELINE_NS, rec, &found);/find_first_rate(clk, HPT_BASELINE_PROVISIONAL_NS, rec, \&found);/
s/^\thpt_record_settle(rec, &found.rate, &found.base);/\t;/

#: lib/rate/next_record.c first_provisional
s/^	ret->flags &= ~HPT_RECORD_PROVISIONAL;/	;/
s/else if (hpt_record_is_provisional(old))/else if (0)/
/^COLD void hpt_record_settle/,/^}/s/	set_scales(rec, &none);/	;/

#: lib/rate/record.h first_provisional
s/(uint64_t)t - rec->rate.baseline.tick >= /(uint64_t)t >= /

#: lib/rate/calibrate.h first_provisional
s/#define HPT_BASELINE_PROVISIONAL_NS 50000/#define HPT_BASELINE_PROVISIONAL_NS 10000/
s/#define HPT_BASELINE_PROVISIONAL_NS 50000/#define HPT_BASELINE_PROVISIONAL_NS 150000/

#: lib/clock/timekeeper.c first_provisional
s/	hpt_first_settle(clk, rec);/	;/
s/if (unlikely(hpt_record_is_far(ret, t)))/if (0)/
s/hpt_record_is_provisional(ret) \&\& tries < RENEW_TRIES/0/

#: lib/clock/duration.c first_provisional
s/hpt_record_is_provisional(rec) ? rec->convert.resample_ns : UINT64_MAX/UINT64_MAX/
s/hpt_record_is_provisional(&rec) \&\& (ticks/hpt_record_is_provisional(\&rec) \&\& 0 \&\& (ticks/
s/(ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks) > age/1/
s/ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks) > age/(uint64_t)ticks) > age/
s/		settled_scales(clk, ret);/		latest_scales(clk, ret);/

#: lib/clock/time.c first_provisional
s/		(!is_provisional \&\& clk->src/		(clk->src/
s/		hpt_timekeeper_for(clk, t, ret);/		hpt_timekeeper_now(clk, ret);/

#: lib/clock/info.c first_provisional
s/	tick = hpt_timekeeper_settled(clk, &rec);/	tick = hpt_timekeeper_now(clk, \&rec);/

#: lib/sleep/deadline.c first_provisional
s/sl->asked.at <= NS_PER_MS \&\& //
s/		if (hpt_record_is_provisional(&rec))/		if (0)/
s/hpt_scale_of(rec->rate.error_ppb, PPB)) + 1/hpt_scale_of(1, PPB)) + 1/

#: lib/clock/duration.c first_provisional duration
/^static struct hpt_wide ticks_to_wide_ns/,/^}/s/scales_for_ticks(clk, ticks, &r)/settled_scales(clk, \&r)/
