# SPDX-License-Identifier: MIT

#: lib/source/manual.c
s/ \.is_private = true,//
s/!frequency_hz || //
s/ || frequency_hz > MANUAL_FASTEST_HZ//
s/return tick < INT64_MAX \&\& /return /
s/ticks < 0 || //
s/	if (end > 0)$/	if (0)/
s/return hpt_ratio_nearest(ticks, src->rate.num, src->rate.den)/return hpt_ratio_floor(ticks, src->rate.num, src->rate.den)/
s/return hpt_ratio_nearest(ns, src->rate.den, src->rate.num)/return hpt_ratio_floor(ns, src->rate.den, src->rate.num)/
s/	if (!is_possible_tick(src, start))/	if (0)/

#: lib/clock/manual_clock.c
s/!ret || flags/!ret/
s/	clk->cost.step_ticks = 1;/	(void)0;/
s/\.generation = 1, //
s/	atomic_init(&clk->now_ns_unordered, manual_now_ns);/	(void)0;/
s/return hpt_manual_of(&clk->src) ? /return clk ? /

#: lib/clock/timekeeper.c
s/	if (clk->src.own_time) {/	if (0) {/
/^static COLD int renew/,/^}/s/if (clk->src.own_time ||/if (/

#: lib/clock/check.c
s/if (clk->src.own_time ||/if (/

#: lib/clock/cross_sample.c
s/	if (clk->src.own_time)/	if (0)/

#: lib/clock/os_time.c
s/	if (clk->src.own_time)/	if (0)/

#: lib/clock/duration.c
s/return unlikely(!r->resample_ns) \&\& clk->src.own_time;/return false;/
/^int64_t hpt_ticks_to_ns/,/^}/s/	if (clk->src.own_time)/	if (0)/

#: lib/clock/time.c
/^int hpt_time_to_ns/,/^}/s/	if (clk->src.own_time)/	if (0)/
/^int hpt_time_from_ns/,/^}/s/	if (clk->src.own_time)/	if (0)/
/^static struct hpt_wide time_to_wide_ns/,/^}/s/	if (clk->src.own_time)/	if (0)/
/^static int from_wide_ns/,/^}/s/	if (clk->src.own_time)/	if (0)/
/^static COLD hpt_time_t furthest/,/^}/s/	if (clk->src.own_time)/	if (0)/
