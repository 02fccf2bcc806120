# SPDX-License-Identifier: MIT

#: lib/rate/timeline.c
s/if (has(&before, t))$/if (0)/
s/return has(&now, t) || has(&before, t);/return has(\&now, t);/
s/ || !rec->past.span ? ray_from/ ? ray_from/
s/ray_from(rec, &now, now.end) :/ray_from(rec, \&now, now.start) :/
s/if (!is_between)$/if (1)/
s/tick > (int64_t)before.end ? tick : /tick > INT64_MIN ? tick : /
s/tick < s->start ? s->start : tick/tick/
s/if (ns >= ns_at(&before, before.end))/if (0)/
s/if (ns < ns_at(&before, before.start))/if (0)/
s/if (ns >= ns_at(&now, now.end))/if (0)/
#: lib/rate/next_record.c
/^static COLD void start_lines/,/^}/s/rec->past.span = 0;/;/
s/rec->past = (struct hpt_past).*/;/
s/ret->generation_start = interval.tick;/;/
#: lib/clock/time.c
s/if (!hpt_timeline_has(ret, t))/if (1)/
s/if (!hpt_timeline_has(ret, t))/if (0)/
s/ || (uint64_t)t - start >= span)/)/
/^int hpt_time_to_ns/,/^}/s/if (!ret)/if (0)/
/^int hpt_time_from_ns/,/^}/s/if (!ret)/if (0)/
s/	record_for(clk, about, &rec);/	;/
#: lib/math/line.c
s/tick++)$/tick += 2)/
s/tick--)$/tick += 0)/
s/.frac = UINT64_C(1) << 63/.frac = 0/
