# SPDX-License-Identifier: MIT

#: lib/clock/judge.c
s/facts.expensive = !tsc_is_cheap(src, ret)/tsc_is_cheap(src, ret)/
/^static COLD struct hpt_verdict judge_tsc/,/^}/s/facts.interposed = is_interposed(src);/;/
s/if (!src->env->kernel_ns(CLOCK_MONOTONIC_RAW, &kernel_ns))/if (!src->env->kernel_ns(CLOCK_MONOTONIC_RAW, \&kernel_ns) \&\& 0)/
s/	return is_cheap || tsc_is_cheap_in_batches(&timed);/	return is_cheap;/
s/	return is_cheap || tsc_is_cheap_in_batches(&timed);/	return true;/
s/tries < COST_TRIES \&\& !is_cheap; /tries < COST_TRIES; /
s/^\tret->order = timed.order;$/\t;/
s/^\tret->order = src->order;$/\t;/
s/^\tret->reads.n = ret->anchor.n = 0;$/\t;/
s/^\tret->is_clocksource = false;$/\t;/
s/^\tret->kernel_clocksource\[0\] = '\\0';$/\t;/
s/	} while (after_ns - before_ns > COMPARED_NS \&\&/	} while (0 \&\&/
s/	} while (after_ns - before_ns > COMPARED_NS \&\&/	} while (1 \&\&/
s/#define COMPARED_TRIES 4/#define COMPARED_TRIES 100000000/
s/	return repeats \&\& moves ? least : 1;/	return 1;/
s/return facts.own_ticks < facts.twice_os_ticks;/return facts.own_ticks < 4 * facts.twice_os_ticks;/
#: lib/clock/judge.c judge choose
s/src->ops->id != HPT_SOURCE_OS \&\& is_interposed(src)/0/
#: lib/clock/choose.c judge
s/^\tif (choice->source == HPT_SOURCE_OWN)$/\tif (1)/
#: lib/clock/clock.c judge choose
s/^\t\thpt_own_set_order(&clk->src, found->order);$/\t\t;/
s/^\tclk->is_clocksource = found->is_clocksource;$/\t;/
s/^\tclk->load_reads = found->reads;$/\t;/
s/^\tclk->anchor = found->anchor;$/\t;/
