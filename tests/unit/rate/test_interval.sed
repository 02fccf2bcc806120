# SPDX-License-Identifier: MIT

#: lib/rate/interval.c interval interval_rates
s/return limited_fs(hpt_fixed_fs(/return (hpt_fixed_fs(/
s/(ns > most_ns ? most_ns : ns < -most_ns ? -most_ns : ns) \* FS_PER_NS/(int64_t)((uint64_t)ns * FS_PER_NS)/
s/tick - b->after - granularity.ticks/tick - b->after/
s/ + ns_fs((int64_t)granularity.ref_ns)//
s/since_before > -since_after ? since_before : -since_after/since_before/
s/(double)away_fs \* error_ppb/0.0 * error_ppb/
s/if (away_fs == APART_MAX_FS)/if (0)/
s/#define SAYS_NOTHING_FS (3 /#define SAYS_NOTHING_FS (1 /
s/if (one.lo_fs > interval.lo_fs)/if (0)/
s/if (one.hi_fs < interval.hi_fs)/if (0)/
s/return interval.lo_fs <= interval.hi_fs ? interval : best_one;/return interval;/
s/ns > 0 \&\& ticks > 0/ns > 0/
s/ns > 0 \&\& ticks > 0/ticks > 0/
s/return uhz < 9e18 ? (uint64_t)(int64_t)uhz : UINT64_MAX;/return (uint64_t)(int64_t)uhz;/
s/if (least_ns > 0)/if (1)/
s/rates.hi_uhz += rates.hi_uhz < UINT64_MAX;/rates.hi_uhz++;/
s/rates.hi_uhz += rates.hi_uhz < UINT64_MAX;/;/
s/return uhz < UINT64_MAX ? uhz : 0;/return uhz;/
s/there.ns += (uint64_t)a->ref_ns - (uint64_t)b->ref_ns;/;/
/^COLD int64_t hpt_interval_gap_fs/,/^}/s/to_fs(hpt_slope_times(b->tick - a->tick, slope))/(double)hpt_fixed_fs(hpt_slope_times(b->tick - a->tick, slope))/
/^COLD int64_t hpt_interval_gap_fs/,/^}/s/slack = slack < 0 ? -slack : slack;/;/
s/return above < 9e18 ? (int64_t)above : INT64_MAX;/return (int64_t)above;/
s/below < 9e18 ? (int64_t)below : INT64_MAX;/(int64_t)below;/
s/return below <= 0 ? 0 : /return /
s/int64_t lo = there + a->lo_fs/*ret = *b; int64_t lo = there + a->lo_fs/
s/if (lo > hi)/if (0)/
s/a->hi_fs + slack_fs + 1;/a->hi_fs + slack_fs;/
s/there + a->lo_fs - slack_fs/there + a->lo_fs/
s/there + a->hi_fs + slack_fs/there + a->hi_fs/
s/(slack < 0 ? -slack : slack) < SAYS/slack < SAYS/;s/llabs((int64_t)slack)/(int64_t)slack/
s/lo > 0 ? (uint64_t)lo : 0/(uint64_t)(int64_t)lo/
s/rates.hi_uhz == UINT64_MAX || //
s/(above > below ? above : below)/above/
s/(above > below ? above : below)/below/
s/(double)uhz \* 1e9 + 1;/(double)uhz * 1e9;/
s/return error < (double)UINT32_MAX ? (uint32_t)error : UINT32_MAX;/return (uint32_t)error;/
#: lib/rate/interval.c interval
/^COLD uint32_t hpt_interval_error_ns/,/^}/s/slack = slack < 0 ? -slack : slack;/slack = slack < 0 ? 0 : slack;/
/^COLD uint32_t hpt_interval_error_ns/,/^}/s/error = off - (double)interval->lo_fs;/error = 0;/
/^COLD uint32_t hpt_interval_error_ns/,/^}/s/	error = error > .*/	;/
