# SPDX-License-Identifier: MIT

#: lib/rate/next_record.c record event
s/wall = unix_interval(ret, samples);/;/
#: lib/rate/estimate.c record event
s/if (rec->wander_ppb || !hpt_kernel_rate_within/if (!hpt_kernel_rate_within/
#: lib/rate/estimate.c record event
s/!hpt_kernel_rate_round(near.lo_uhz, near.hi_uhz, &kernel)))/1))/
#: lib/rate/estimate.c record event
s/uhz = clamped(uhz ? uhz : rec->frequency_uhz, rec->bound);/uhz = uhz ? uhz : rec->frequency_uhz;/
#: lib/rate/estimate.c record event
/^void hpt_estimate_refine/,/^}/s/rec->bound = both;$/(void)both;/
/^void hpt_estimate_first/,/^}/s/rec->bound = both;$/(void)both;/
/^static void set_error/,/^}/s/if (error_ppb < UINT32_MAX)$/if (0)/
/^static void rebase/,/^}/s/if (error_ppb < UINT32_MAX)$/if (0)/
#: lib/rate/estimate.c record event
s/error_ppb += rec->wander_ppb;/error_ppb += 0;/
s/!is_within(rec->frequency_uhz, both) \&\& is_kernels_still(rec, now, leeway)/0/
s/#define SKEW_NS 200/#define SKEW_NS 2000000000/
s/} else if (both.lo_uhz > both.hi_uhz) {/} else if (0) {/
#: lib/rate/event.c record event
s/idle_ppb(old, interval)) > JUMP_FS;/idle_ppb(old, interval)) > 1000 * JUMP_FS;/
s/samples->offset_lo_ns > old->offset_hi_ns || //
s/ || samples->offset_hi_ns < old->offset_lo_ns;/;/
s/return jumped ? HPT_EVENT_MOVED_AWAY : HPT_EVENT_MOVED;/return HPT_EVENT_MOVED;/
s/return jumped ? HPT_EVENT_MOVED_AWAY : HPT_EVENT_MOVED;/return HPT_EVENT_MOVED_AWAY;/
s/event == HPT_EVENT_JUMPED ? HPT_STATE_DISRUPTED : HPT_STATE_REANCHORED/HPT_STATE_REANCHORED/
#: lib/rate/event.c record event
s/^		hpt_estimate_forget(rec, interval);/		;/
#: lib/rate/event.c record event
s/^	rec->last = \*interval;$/	;/
#: lib/rate/next_record.c record event
s/!hpt_interval_narrow(.*/1)/
#: lib/rate/estimate.c record event
s/now.lo_uhz > now.hi_uhz || rec->unix_last/rec->unix_last/
s/ || rec->unix_last.ref_ns - rec->unix_baseline.ref_ns > UNIX_BASELINE_MAX_NS//
#: lib/rate/next_record.c record event
s/ret->unix_baseline = ret->unix_last = wall;/;/
s/if (start - end <= ticks)/if (1)/
s/hpt_slope_bent(slope, fs_between(there, target), ticks)/slope/
s/hpt_slope_times(start - end, slope)/hpt_slope_times(start - end, line->slope)/
s/fs_between(least, target) < 0 ? least : target/target/
s/rec->span = ticks < rest ? ticks : rest;/rec->span = ticks;/
s/rec->resample_ns = rec->origin == HPT_ORIGIN_KERNEL || hpt_record_is_exact(rec) ? UINT64_MAX :/rec->resample_ns = 1 ? UINT64_MAX :/
s/if (event == HPT_EVENT_MOVED)$/if (0)/
s/lo > rec->offset_lo_ns || lo > hi ? lo : rec->offset_lo_ns/lo/;s/hi < rec->offset_hi_ns ? hi : rec->offset_hi_ns/hi/
#: lib/rate/estimate.c record event
s/guess_rate(rec, hpt_interval_rate_uhz(&rec->last, interval));/;/
#: lib/rate/next_record.c record event
s/interval = raw_interval(ret, samples);/;/
#: lib/rate/estimate.c record event
s/^		return GUESS_PPB;/		return UINT32_MAX;/
s/(uint32_t)(error_ppb \* PPB \/ (PPB - error_ppb)) + 1;/(uint32_t)error_ppb;/
s/interval->ref_ns - rec->last.ref_ns > IDLE_NS ? IDLE_PPB : 0/0/
s/rebase(rec, interval, IDLE_PPB);/rebase(rec, interval, 0);/
#: lib/rate/event.c record event
s/return jumped ? HPT_EVENT_JUMPED : HPT_EVENT_NONE;/return HPT_EVENT_NONE;/

#: lib/clock/read.c record event
s/if (likely(tick - start < hpt_word_load(&words\[WORD_LINE_SPAN\]) \&\& /if (likely(/

#: lib/rate/sample.c record event
s/if (!hpt_wall_offset_differs(take_brackets(src, ret), offset))/if (take_brackets(src, ret), 1)/
