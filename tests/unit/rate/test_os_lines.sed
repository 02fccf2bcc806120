# SPDX-License-Identifier: MIT

#: lib/rate/os_lines.c
s/bool is_unix = id == CLOCK_REALTIME || id == CLOCK_TAI;/bool is_unix = id == CLOCK_REALTIME;/
s/id == CLOCK_MONOTONIC_RAW ? &rec->read.ns :/0 ? \&rec->read.ns :/
s/^	if (id == CLOCK_BOOTTIME)$/	if (0)/
s/^	if (id == CLOCK_TAI)$/	if (0)/
s/return ns - o.lo_ns > o.hi_ns - ns ? ns - o.lo_ns : o.hi_ns - ns;/return ns - o.lo_ns < o.hi_ns - ns ? ns - o.lo_ns : o.hi_ns - ns;/
s/of_mono.ref_ns -= ns;/of_mono.ref_ns -= offset.lo_ns;/
s/of_mono.hi_fs += (ns - offset.lo_ns) \* FS_PER_NS;/;/
s/if (!hpt_unix_offset_is_known(known) || hpt_unix_offset_differs(known, latest))/if (!hpt_unix_offset_is_known(known))/
s/if (!hpt_unix_offset_is_known(known) || hpt_unix_offset_differs(known, latest))/if (1)/
s/known.lo_ns > latest.lo_ns ? known.lo_ns : latest.lo_ns/known.lo_ns/
s/known.hi_ns < latest.hi_ns ? known.hi_ns : latest.hi_ns/known.hi_ns/
s/if ((uint64_t)tai.hi_ns - (uint64_t)tai.lo_ns >= (uint64_t)NS_PER_S \/ 2)/if (!hpt_unix_offset_is_known(tai))/
s/ >= (uint64_t)NS_PER_S \/ 2)/ >= (uint64_t)NS_PER_S)/
s/ns = offset_middle(tai) + NS_PER_S \/ 2;/ns = offset_middle(tai);/
s/ns -= (ns % NS_PER_S + NS_PER_S) % NS_PER_S;/ns -= ns % NS_PER_S;/
s/return hpt_unix_offset_is_known(rec->offsets.boot) ? offset_middle(rec->offsets.boot) : 0;/return offset_middle(rec->offsets.boot);/
s/offset_ns > least_ns ? offset_ns : least_ns/offset_ns > 0 ? offset_ns : least_ns/
s/offset_ns > least_ns ? offset_ns : least_ns/0 * offset_ns + least_ns/
s/least_ns = hpt_os_lines_boottime_used(old) - gone_ns;/least_ns = hpt_os_lines_boottime_used(old);/
s/(int64_t)hpt_line_at(&rec->read.mono_ns, start, start).ns;/hpt_os_lines_ns(rec, CLOCK_MONOTONIC, start);/
s/return !hpt_unix_offset_is_known(old->offsets.boot) ||/return 0 ||/
s/       hpt_unix_offset_differs(old->offsets.boot, rec->offsets.boot);/       0;/
s/       hpt_unix_offset_differs(old->offsets.boot, rec->offsets.boot);/       hpt_os_lines_boottime_used(rec) < rec->offsets.boot.lo_ns || hpt_os_lines_boottime_used(rec) > rec->offsets.boot.hi_ns;/
s/	if (of_unix == UINT32_MAX)/	if (0)/
s/rec->offsets.error_ns = mono_ns + boot_ns;/rec->offsets.error_ns = mono_ns + 0 * boot_ns;/
s/rec->offsets.error_ns = mono_ns + boot_ns;/rec->offsets.error_ns = boot_ns + 0 * mono_ns;/
s/of_unix = of_unix > of_mono ? of_unix : of_mono;/of_unix += 0 * of_mono;/
s/of_unix = of_unix > of_mono ? of_unix : of_mono;/of_unix = of_mono;/
#: lib/rate/next_record.c
s/rec->read.mono_ns = next_line(old, &old->read.mono_ns, /rec->read.mono_ns = next_line(old, \&old->read.unix_ns, /
s/^	hpt_os_lines_prolong_boottime(old, rec, start);$/	;/
s/^		continue_boottime(old, rec);$/		;/
s/^	if (hpt_os_lines_boottime_moved(old, rec))$/	if (1)/
s/^		continue_boottime(old, rec);$/		continue_boottime(old, rec), start_monotonic(rec, rec->read.start, of_unix);/
#: lib/rate/event.c
s/hpt_unix_offset_differs(samples->boot, old->offsets.boot);/0;/
#: lib/clock/info.c manual_clock
s/return !clk->src.own_time \&\& !hpt_sample_is_blind(&clk->src);/return !hpt_sample_is_blind(\&clk->src);/
