# SPDX-License-Identifier: MIT

#: lib/rate/staircase.c
s/#define REACH          0.6/#define REACH          0.4/
s/#define REACH          0.6/#define REACH          1.2/
s/ + a->is_in_step + b->is_in_step;/;/
s/ \&\& !(p->a.is_in_step \&\& p->b.is_in_step);/;/
s/absolute(a->width - b->width) <= SLOWER;/1;/
s/#define TRIES_MAX 8/#define TRIES_MAX 16/
s/(1 + absolute(ns) \* pitch->off)/(absolute(ns) * pitch->off)/
s/(1 + absolute(ns) \* pitch->off)/(1)/
s/if (numbers.from != numbers.to)/if (0)/
s/return hpt_rates_is_empty(narrow) ? rates : narrow;/return narrow;/
s/(int64_t)((pitch.ns \/ 2 - 1) \/ 2 \/ pitch.off)/(int64_t)((pitch.ns \/ 2 - 1) \/ pitch.off)/
s/return pitch.ns < HPT_STAIRCASE_STEP_MIN_NS ? 0 : /return /
s/#define BRACKETS_MIN 8.0/#define BRACKETS_MIN 7.0/
s/#define BRACKETS_MIN 8.0/#define BRACKETS_MIN 21.0/
s/return !turns || steps % turns < DRIFT_MIN || /return !turns || /
s/return wide_ticks(b) > wide_ticks(g->at) \* (1 + 1.0 \/ WIDTH_PART) + pitch->ticks || /return /
s/ || !is_near(g, b, pitch);/;/
s/return from == whole(from) \&\& wide/return wide/
s/ \&\& wide == whole(wide);/;/
s/if (!is_near(g, \&g->b\[i\], pitch) || /if (/
s/ || !is_on_steps(g, \&g->b\[i\], pitch))/)/;s/if (from.lo_fs > from.hi_fs || .*/if (0)/
s/lo = ns - slack > lo ? ns - slack : lo;/;/
s/hi = ns + 1 + slack < hi ? ns + 1 + slack : hi;/;/
s/slack = absolute(ns) \* pitch->off;/slack = 0;/
s/times < 2 \&\& /times < 1 \&\& /
s/rates = hpt_rates_both(rates, hpt_interval_rates(\&from, \&to));/rates = hpt_interval_rates(\&from, \&to);/
s/return fits == 1 || (fits \&\& numbers.from == numbers.to);/return fits == 1;/
s/return fits == 1 || (fits \&\& numbers.from == numbers.to);/return fits || numbers.from == numbers.to;/
s/	else if (fits \&\& numbers.from == numbers.to)/	else/
s/	if (fits == 1)/	if (fits)/
s/ret->is_kernels = true;/;/
s/pitch->ns >= HPT_STAIRCASE_STEP_MIN_NS \&\& //
s/ret.from += ret.from < middle - far;/;/
s/ret.to -= ret.to > middle + far;/;/
s/if (from.lo_fs > from.hi_fs || .*/if (0)/
s/ || !is_on_steps(g, \&g->b\[i\], pitch))/)/
