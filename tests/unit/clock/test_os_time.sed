# SPDX-License-Identifier: MIT

#: lib/clock/os_time.c
s/id == CLOCK_MONOTONIC_RAW || hpt_record_is_exact/hpt_record_is_exact/
s/ : rec.convert.unix_per_tick;/ : rec.convert.ns_per_tick;/
s/\*ret = \*hpt_brackets_narrowest(brackets, OS_TIME_BRACKETS);/*ret = brackets[0];/
s/if (hpt_record_is_exact(&rec) && id == CLOCK_MONOTONIC)/if (0)/
s/if (!is_known(id))/if (0)/
s/		if (r)$/		if (0)/
/^int hpt_time_to_os/,/^}/s/ret ? present_line(hpt_clock_or_default(clk), clockid, &line) : -EINVAL;/present_line(hpt_clock_or_default(clk), clockid, \&line);/
/^int hpt_time_from_os/,/^}/s/ret ? present_line(hpt_clock_or_default(clk), clockid, &line) : -EINVAL;/present_line(hpt_clock_or_default(clk), clockid, \&line);/
#: lib/rate/sample.c
s/src->tsc_forbidden, ret_ns/false, ret_ns/
