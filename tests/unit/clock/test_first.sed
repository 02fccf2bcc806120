# SPDX-License-Identifier: MIT

#: lib/clock/first.c
s/age_ns >= least_ns \&\& //
s/taken < WAIT_BRACKETS_MAX; taken/; taken/
s/clk->is_clocksource ? clk->src.ops->kernel_unit_hz : 0/0/
s/clk->is_clocksource ? clk->src.ops->kernel_unit_hz : 0/clk->src.ops->kernel_unit_hz/
s/tries < CALIBRATE_TRIES/tries < 1/
s/(hpt_fit_knows_steps(fit) || !fit->ticks.least)/1/
s/(hpt_fit_knows_steps(fit) || !fit->ticks.least)/hpt_fit_knows_steps(fit)/
s/if (ret->rate.origin == HPT_ORIGIN_NONE) {/if (0) {/
s/ret->rate = stated;/(void)0;/
s/if (stated.origin != HPT_ORIGIN_REGISTER)/if (0)/
s/rec->flags |= HPT_CLOCK_RATE_CONTRADICTED;/(void)rec;/
s/(n >= HPT_FIT_BRACKETS_MIN || cut_short++ == CUT_SHORT_MAX)/(n || cut_short++)/
s/(n >= HPT_FIT_BRACKETS_MIN || cut_short++ == CUT_SHORT_MAX)/(n >= HPT_FIT_BRACKETS_MIN || cut_short)/

#: lib/clock/first.c step
s/ret->granularity = found.granularity;/ret->granularity.ref_ns = ret->granularity.ticks = 1;/

#: lib/clock/info.c
s/ \&\& cost->step_ticks > most / /
s/ \&\& cost->step_ticks > two_reads / /
s/^	return most \&\& .*/	return cost->step_ticks;/

#: lib/rate/calibrate.c first
s/tries < AGAIN_TRIES \&\& /tries < 0 \&\& /
s/ret->ref_ns < from_ns \&\& //
s/ \&\& groups < LATER_GROUPS_MAX//
s/near_ns < most_ns ? near_ns : most_ns/most_ns/
s/		if (!near_ns)/		if (0)/
s/#define AGAIN_NS    40000/#define AGAIN_NS    80000/
s/rates = hpt_staircase_rates(recent, later, granularity.ticks, rates);/;/
s/^\t\tn = take_apart(src, ret);/\t\tn = hpt_brackets_take(src, CLOCK_MONOTONIC_RAW, ret, LATER_BRACKETS);/;s/uint32_t n = take_apart(src, ret);/uint32_t n = hpt_brackets_take(src, CLOCK_MONOTONIC_RAW, ret, LATER_BRACKETS);/
