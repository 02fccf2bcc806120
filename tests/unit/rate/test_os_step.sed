# SPDX-License-Identifier: MIT

#: lib/rate/os_step.c
s/return \*ret_ns \&\& \*ret_ns == before_ns \&\& .*/return false;/
s/return \*ret_ns \&\& \*ret_ns == before_ns \&\& .*/return true;/
s/return \*ret_ns \&\& \*ret_ns/return *ret_ns/
s/			return is_coarse(src, \&later_ns);/			return true;/
s/return jiffy_ns < INT64_MAX ? (uint64_t)jiffy_ns : 1;/return (uint64_t)jiffy_ns;/
s/i < READS; i++/i < 1; i++/
s/i < READS_MOST \&\& moves.last/moves.last/
s/i < READS_MOST \&\& moves.last/i < 300 \&\& moves.last/
s/ \&\& moves.last \&\& !hpt_moves/ \&\& !hpt_moves/
s/return step.size ? hpt_step_lag(step) : 1;/return hpt_step_lag(step);/

#: lib/clock/first.c
s/ret->granularity.ref_ns = ret->granularity.ticks = hpt_os_step_ns(&clk->src);/;/

#: lib/clock/info.c
s/if (!cost->step_ticks \&\& most > 1)/if (0)/
