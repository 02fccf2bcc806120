# SPDX-License-Identifier: MIT

#: lib/sleep/ticker.c ticker ticker_start
s/^\tset_last(t, now);/\t;/
s/first_ns > INT64_MIN ? first_ns : INT64_MIN + 1/first_ns/
s/period_ns <= 0 || flags/flags/
s/flags & ~HPT_WAIT_EINTR/0/
s/t->waiter.clk = hpt_clock_ref(clk);/t->waiter.clk = clk ? clk : hpt_clock_default();/
s/^\thpt_clock_close(t->waiter.clk);/\t;/
s/return t && period_ns >= 0 ?/return t ?/
s/return t && num && den ?/return t \&\& den ?/
s/return t && num && den ?/return t \&\& num ?/
s/atomic_store_explicit(&t->due_ns, HPT_TICKER_SPENT, memory_order_relaxed);/set_next(t, after);/
s/^\t\tif (!is_spent(t))/\t\tif (1)/
s/return hpt_sleeper_is_interrupted(s) ? -ECANCELED : -ENODATA;/return -ENODATA;/
s/return most && missed > most ? missed - most : 0;/return missed > most ? missed - most : 0;/
s/return most && missed > most ? missed - most : 0;/return 0;/
s/^\t\tadd_to(&t->missed, n);/\t\t;/
s/memory_order_relaxed) & CATCHES_UP)$/memory_order_relaxed) \& 0)/
s/late = hpt_sum(late, hpt_sum(slept_ns, .*/;/
s/r ? NOT_LATE : late_ns(t, now, slept_ns, left)/late_ns(t, now, slept_ns, left)/
s/^\tcount_late(t);/\t;/
s/^\tadd_to(&t->ticks, 1);/\t;/
s/^\t\thpt_waiter_acknowledge(&t->waiter);/\t\t;/
s/if (ns == HPT_TICKER_SPENT)/if (0)/
s/\*ret = hpt_wide_is_negative(tick) ? INT64_MIN : INT64_MAX;/;/
s/^\t\tif (generation != ret->generation)/\t\tif (0)/
s/size < HPT_TICKER_INFO_SIZE_V0/size < 1/
s/missed > HPT_TICKER_CATCH_UP/0/
s/^\t\tmost = 0;/\t\t;/
s/n < UINT64_MAX - old ? old + n : UINT64_MAX/old + n/
