# SPDX-License-Identifier: MIT

#: lib/clock/get_timebase.c
s/	hpt_timekeeper_resample(clk);/	;/
s/ret->start = (int64_t)rec.generation_start;/ret->start = (int64_t)rec.read.start;/
s/line->slope = unix_slope(rec);/line->slope = rec->ns_per_tick;/
s/hpt_record_is_exact(rec) ? &exact : &rec->unix_last/\&rec->last/
s/rec->error_ppb + HPT_TIMEBASE_SLEW_PPB)/rec->error_ppb)/
s/ || size < sizeof(base))/)/
s/if (!ret || size/if (size/
s/ret->offset_ns = rec->offset_lo_ns + (int64_t)(width \/ 2);/ret->offset_ns = rec->offset_lo_ns - 1000000;/
s/	if (!hpt_record_is_exact(rec))/	if (1)/
s/	memset(ret, 0, size);/	;/
s/errno = saved;/;/
#: lib/machine/env.c
s/is_good = is_dash ? text\[i\] == '-' : digit >= 0;/is_good = is_dash || digit >= 0;/
s/is_good = is_dash ? text\[i\] == '-' : digit >= 0;/is_good = is_dash ? text[i] == '-' : 1;/
s/	if (!is_good)$/	if (0)/
