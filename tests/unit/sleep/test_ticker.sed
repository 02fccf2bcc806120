# SPDX-License-Identifier: MIT

#: lib/sleep/ticker.c ticker ticker_start ticker_delay
s/^\tset_last(t, now);/\t;/
s/first_ns > INT64_MIN ? first_ns : INT64_MIN + 1/first_ns/
s/period_ns < 0 || flags/flags/
s/^	if (period_ns)$/	if (1)/
s/flags & ~(uint32_t)HPT_WAIT_EINTR/0/
s/t->waiter.clk = hpt_clock_ref(clk);/t->waiter.clk = clk ? clk : hpt_clock_default();/
s/^\thpt_clock_close(t->waiter.clk);/\t;/
s/return t && period_ns >= 0 ?/return t ?/
s/return t && num && den ?/return t \&\& den ?/
s/return t && num && den ?/return t \&\& num ?/
/^static void advance/,/^}/s/atomic_store_explicit(&t->due_ns, HPT_TICKER_SPENT, memory_order_relaxed);/set_next(t, after);/
s/^\t\tif (!is_spent(t))/\t\tif (1)/
s/return hpt_sleeper_is_interrupted(s) ? -ECANCELED : -ENODATA;/return -ENODATA;/
s/return most && missed > most ? missed - most : 0;/return missed > most ? missed - most : 0;/
s/return most && missed > most ? missed - most : 0;/return 0;/
s/^\t\tadd_to(&t->missed, n);/\t\t;/
s/	if (kind_of(t) == HPT_TICKER_CATCH_UP)/	if (0)/
s/kind == HPT_TICKER_CATCH_UP))) {/0))) {/
s/kind != HPT_TICKER_DELAY \&\& (r/(r/
s/	if (unlikely(kind == HPT_TICKER_DELAY))/	if (0)/
s/now->at.ns < slept_ns ? hpt_sum(slept_ns, late) : now->at.ns, \&after/hpt_sum(slept_ns, late), \&after/
s/now->at.ns < slept_ns ? hpt_sum(slept_ns, late) : now->at.ns, \&after/now->at.ns, \&after/
s/(struct hpt_beat){ now_ns, 0 }, 1)/t->next, 1)/
s/^		add_to(&t->missed, missed);/		;/
s/ || (missed == HPT_TICKER_DELAY \&\& most))/)/
s/late = hpt_sum(late, hpt_sum(slept_ns, .*/;/
s/r ? NOT_LATE : late, /late, /
s/^\tcount_late(t);/\t;/
s/^\tadd_to(&t->ticks, 1);/\t;/
s/^\t\thpt_waiter_acknowledge(&t->waiter);/\t\t;/
s/if (ns == HPT_TICKER_SPENT)/if (0)/
s/^\t\tif (generation != now.generation)/\t\tif (0)/
s/size < HPT_TICKER_INFO_SIZE_V0/size < 1/
s/missed > HPT_TICKER_DELAY/0/
s/^\t\tmost = 0;/\t\t;/
s/n < UINT64_MAX - old ? old + n : UINT64_MAX/old + n/
