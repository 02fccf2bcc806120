# SPDX-License-Identifier: MIT

#: lib/rate/next_record.c
s/rec->offsets.boot.hi_ns : 0);/hpt_os_lines_boottime(rec) : 0);/
s/rec->read.mono_ns = latest_line(start, &of_mono, rec->convert.unix_per_tick);/start_monotonic(rec, start, of_unix);/
s/	set_segment(rec, start, 1);/	set_segment(rec, start, ticks_of_ns(rec, SEGMENT_MIN_NS));/
s/	if (old->flags & HPT_RECORD_TOOK_OVER)/	if (0)/
s/	rec->flags |= HPT_RECORD_TOOK_OVER;/	;/
s/	raise_line(&rec->read.mono_ns, start, &mono_ns);/	;/
#: lib/clock/read.c
s/hpt_seqlatch_same(&clk->latch, seen) \&\& ++tries/0 \&\& ++tries/
#: lib/rate/os_lines.c
s/if (!rec->read.line_span || hpt_record_is_exact(rec))/if (hpt_record_is_exact(rec))/
#: lib/clock/info.c
s/return !clk->src.own_time \&\& !hpt_sample_is_blind(&clk->src);/return !clk->src.own_time;/
