# SPDX-License-Identifier: MIT

#: lib/clock/get_timebase.c
s/	if (clk->src.is_private)/	if (0)/
s/	hpt_timekeeper_resample(clk);/	;/
s/ret->start = (int64_t)rec.generation_start;/ret->start = (int64_t)rec.read.start;/
s/line->slope = unix_slope(rec);/line->slope = rec->convert.ns_per_tick;/
s/hpt_record_is_exact(rec) ? &exact : &rec->unix_now/\&rec->rate.last/
s/&exact : &rec->unix_now/\&exact : \&rec->rate.unix_last/
s/hpt_interval_error_ns(&rec->raw_now/hpt_interval_error_ns(\&rec->rate.last/
s/ || size < sizeof(base))/)/
s/if (!ret || size/if (size/
s/ret->offset_ns = rec->offset_lo_ns + (int64_t)(width \/ 2);/ret->offset_ns = rec->offset_lo_ns - 1000000;/
s/	if (!hpt_record_is_exact(rec))/	if (1)/
s/	memset(ret, 0, size);/	;/
s/errno = saved;/;/
#: lib/rate/next_record.c
s/ret->raw_now = interval;/;/
/^COLD void hpt_record_next/,/^}/s/ret->unix_now = unix_proof(ret, samples);/;/
