# SPDX-License-Identifier: MIT

#: lib/rate/next_record.c record estimate event event_trust
s/of_unix = unix_interval(ret, samples);/;/
#: lib/rate/estimate.c record estimate event event_trust sleep_events
s/if (est->origin != HPT_ORIGIN_NONE || is_within/if (is_within/
s/set_unix_rate(est, est->unix_uhz); /; /
#: lib/rate/estimate.c record estimate event event_trust
/^static bool snap(/,/^}/s/if (est->wander_ppb || /if (/
#: lib/rate/estimate.c record estimate event event_trust
s/if (est->wander_ppb || kernel_rates(est, near.*/if (1)/
s/if ((est->origin == HPT_ORIGIN_REGISTER || est->flags & HPT_ESTIMATE_STAIRCASE) \&\& is_possible)/if ((est->origin == HPT_ORIGIN_REGISTER \&\& is_possible) || est->flags \& HPT_ESTIMATE_STAIRCASE)/
s/if ((est->origin == HPT_ORIGIN_REGISTER || est->flags & HPT_ESTIMATE_STAIRCASE) \&\& is_possible)/if (est->origin == HPT_ORIGIN_REGISTER \&\& is_possible)/
s/if (rate->is_kernels)/if (0)/
#: lib/rate/estimate.c record estimate event event_trust
s/uhz = clamped(uhz ? uhz : est->frequency_uhz, est->rates);/uhz = uhz ? uhz : est->frequency_uhz;/
#: lib/rate/estimate.c record estimate event event_trust
/^static void narrow_rates(/,/^}/s/est->rates = both;$/(void)both;/
/^COLD void hpt_estimate_first/,/^}/s/est->rates = both;$/(void)both;/
/^static COLD void set_error/,/^}/s/if (error_ppb < UINT32_MAX)$/if (0)/
#: lib/rate/estimate.c record estimate event event_trust
s/error_ppb += est->wander_ppb;/error_ppb += 0;/
s/if (is_kernels_still(est, now, leeway_ppb(est, interval)))/if (0)/
s/#define SKEW_NS 200/#define SKEW_NS 2000000000/
s/^	if (hpt_rates_is_empty(both)) {$/	if (0) {/
s/est->rates = hpt_rates_either(hpt_rates_either(est->rates, now), est->safe);/;/
s/if (now.hi_uhz == UINT64_MAX)/if (0)/
s/if (now.hi_uhz == UINT64_MAX)/if (1)/
s/^		hpt_estimate_distrust(est);$/		;/
s/hpt_rates_error_ppb(est->safe, /hpt_rates_error_ppb(est->rates, /
s/est->safe = hpt_rates_either(part, est->latest);/est->safe = part;/
s/ || interval->ref_ns - est->mark.ref_ns < LEARN_NS)/)/
s/if (!est->wander_ppb || interval->ref_ns - est->mark.ref_ns < PART_MAX_NS)/if (1)/
s/if (!est->wander_ppb || interval->ref_ns - est->mark.ref_ns < PART_MAX_NS)/if (0)/
s/return rates_width(part) <= rates_width(est->latest) \/ PART_TIMES;/return true;/
s/return rates_width(part) \/ PART_TIMES <= rates_width(est->latest) ||/return/
s/rates_width(part) <= est->frequency_uhz \/ PPB \* est->wander_ppb;/0;/
s/est->wander_ppb = HPT_ESTIMATE_WANDER_PPB;/;/
s/proves_rate(before, PROVEN_SHARE) \&\& !hpt_rates_is_empty(hpt_rates_both(part, before))/1/
s/return rates_width(part) <= part.lo_uhz \/ share;/return part.hi_uhz < UINT64_MAX;/
s/if ((int64_t)(interval->tick - est->mark.tick) < 0)/if (0)/
#: lib/rate/event.c record estimate event event_trust
s/interval, old->convert.ns_per_tick, error_ppb) > JUMP_FS ||/interval, old->convert.ns_per_tick, error_ppb) > 1000 * JUMP_FS ||/
s/^	       jumped_meanwhile(old, samples, interval);/	       0;/
s/samples->offset_lo_ns > old->offset_hi_ns || //
s/ || samples->offset_hi_ns < old->offset_lo_ns ||/ ||/
s/return jumped ? HPT_EVENT_MOVED_AWAY : HPT_EVENT_MOVED;/return HPT_EVENT_MOVED;/
s/return jumped ? HPT_EVENT_MOVED_AWAY : HPT_EVENT_MOVED;/return HPT_EVENT_MOVED_AWAY;/
s/event == HPT_EVENT_JUMPED ? HPT_STATE_DISRUPTED : HPT_STATE_REANCHORED/HPT_STATE_REANCHORED/
#: lib/rate/event.c record estimate event event_trust
s/^		hpt_estimate_forget(&rec->rate);/		;/
s/event != HPT_EVENT_MOVED \&\& !hpt_record_is_exact(rec)/event == HPT_EVENT_JUMPED/
s/return is_unsteady(old, interval, 1) ? HPT_EVENT_UNSTEADY : HPT_EVENT_JUMPED;/return HPT_EVENT_JUMPED;/
s/ \&\& !is_unsteady(old, interval, 0))/)/
s/if (!rec->jumps || !is_soon_after(rec, interval)) {/if (!rec->jumps) {/
s/old->jumps + jumps >= HPT_RECORD_JUMPS \&\& is_soon_after(old, interval)/old->jumps + jumps >= HPT_RECORD_JUMPS/
s/hpt_record_is_exact(old) || hpt_record_is_learning(old)/hpt_record_is_exact(old)/
#: lib/rate/event.c record estimate event event_trust
s/^	rec->rate.baseline = rec->rate.last = \*interval;$/	rec->rate.baseline = *interval;/
#: lib/rate/next_record.c record estimate event event_trust
s/^	hpt_interval_narrow(.*/	rec->rate.last = *interval;/
s/^	hpt_interval_narrow(.*/	if (rec->rate.origin == HPT_ORIGIN_KERNEL) hpt_interval_narrow(\&rec->rate.last, interval, slope, 0, \&rec->rate.last); else rec->rate.last = *interval;/
#: lib/rate/estimate.c record estimate event event_trust
s/hpt_rates_is_empty(now) ||$/0 ||/
s/est->unix_last.ref_ns - est->unix_baseline.ref_ns > UNIX_BASELINE_MAX_NS)/0)/
#: lib/rate/next_record.c record estimate event event_trust
s/ret->rate.unix_baseline = ret->rate.unix_last = of_unix;/;/
s/if (start - end <= ticks)/if (1)/
s/hpt_slope_bent(slope, fs_between(there, target), ticks)/slope/
s/hpt_slope_times(start - end, slope)/hpt_slope_times(start - end, line->slope)/
s/fs_between(least, target) < 0 ? least : target/target/
s/rec->convert.span = ticks < rest ? ticks : rest;/rec->convert.span = ticks;/
s/rec->convert.resample_ns = rec->rate.origin == HPT_ORIGIN_KERNEL || hpt_record_is_exact(rec) ? UINT64_MAX :/rec->convert.resample_ns = 1 ? UINT64_MAX :/
s/if (event == HPT_EVENT_MOVED) {$/if (0) {/
s/lo > rec->offset_lo_ns || lo > hi ? lo : rec->offset_lo_ns/lo/;s/hi < rec->offset_hi_ns ? hi : rec->offset_hi_ns/hi/
#: lib/rate/estimate.c record estimate event event_trust
s/^	guess_rate(est, part, interval, doubted);/	;/
#: lib/rate/next_record.c record estimate event event_trust
s/interval = set_last_interval(ret, samples);/;/
s/if (samples->is_confirmed \&\& event != HPT_EVENT_JUMPED \&\& /if (samples->is_confirmed \&\& /
s/if (samples->is_confirmed \&\& event != HPT_EVENT_JUMPED \&\& .*/if (0)/
s/if (event == HPT_EVENT_NONE \&\& !hpt_record_is_learning(old))/if (event == HPT_EVENT_NONE)/
s/rec->segment_max_ns = SLEW_SEGMENT_NS;/;/
s/rec->segment_max_ns = longer_ns < SEGMENT_MAX_NS ? longer_ns : SEGMENT_MAX_NS;/;/
s/if ((int64_t)(start - old->read.start) < 0)/if (0)/
s/set_segment(rec, start, old->read.start + old->convert.span - start);/set_segment(rec, start, old->convert.span);/
s/hpt_fixed_of_fs(interval->hi_fs)/hpt_fixed_of_fs(interval->lo_fs)/
s/	set_scales(rec, &old->rate);/	;/
s/	set_scales(ret, &old->rate);/	;/
/hpt_estimate_set_rate(/,/generation = 1/s/^	set_scales(ret, &none);/	;/
/hpt_estimate_first(&ret/,/unix_interval(/s/^	set_scales(ret, &none);/	;/
s/now->num != before->num || now->den != before->den/now->num != before->num/
s/if (is_other || now->unix_uhz != before->unix_uhz)/if (now->unix_uhz != before->unix_uhz)/
s/if (is_other || now->unix_uhz != before->unix_uhz)/if (is_other)/
#: lib/rate/estimate.c record estimate event event_trust
s/^		return GUESS_PPB;/		return UINT32_MAX;/
s/hpt_estimate_is_learning(est) ? FORGOTTEN_PPB : /hpt_estimate_is_learning(est) ? GUESS_PPB : /
#: lib/rate/next_record.c event
s/rec->rate.mark = doubted_interval(rec, samples);/rec->rate.mark = rec->rate.last;/
#: lib/rate/estimate.c record estimate event event_trust
s/(uint32_t)(error_ppb \* PPB \/ (PPB - error_ppb)) + 1;/(uint32_t)error_ppb;/
s/interval->ref_ns - est->last.ref_ns > IDLE_NS ? IDLE_PPB : 0/0/
s/est->safe = loosened(est, est->safe, IDLE_PPB);/;/
#: lib/rate/event.c record estimate event event_trust
s/^	if (!jumped)$/	if (1)/

#: lib/clock/read.c record estimate event event_trust
s/if (likely(tick - start < hpt_word_load(&words\[WORD_LINE_SPAN\]) \&\& /if (likely(/

#: lib/rate/sample.c record estimate event event_trust
s/if (!hpt_unix_offset_differs(take_brackets(src, ret), offset))/if (take_brackets(src, ret), 1)/
#: lib/rate/estimate.c sleep_steps
s/#define PROVEN_SHARE 256/#define PROVEN_SHARE 8/
#: lib/rate/estimate.c first
s/#define GUESS_SHARE  8/#define GUESS_SHARE  256/
