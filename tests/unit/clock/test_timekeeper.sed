# SPDX-License-Identifier: MIT

#: lib/clock/timekeeper.c
s/!hpt_record_serves(ret, (uint64_t)t)/0/
s/if (likely(hpt_record_serves(ret, tick)) || /if (1 || /
s/renew_record(clk, ret, seen) == -EBUSY)/renew_record(clk, ret, seen) == 1)/
/ hpt_timekeeper_instant(/,/^}/s/errno = saved;/(void)saved;/
/ hpt_timekeeper_resample(/,/^}/s/errno = saved;/(void)saved;/
/ hpt_timekeeper_resample(/,/^}/s/renew_record(clk, &rec, seen);/(void)seen;/
s/ret->slope = is_unix ? rec.read.unix_ns.slope : rec.read.ns.slope;/ret->slope = rec.read.unix_ns.slope;/
s/hpt_line_at(is_unix ? &rec.read.unix_ns : &rec.read.ns,/hpt_line_at(\&rec.read.ns,/
s/if (is_exact \&\& !is_unix) {/if (0) {/

#: lib/clock/timekeeper.c
s/^				  hpt_process_known());/				  1);/
