# SPDX-License-Identifier: MIT

#: lib/preload/purse.c
s/return passed_ns \* millicpus \/ 1000;/return passed_ns * millicpus;/
s/if (before != process \&\&/if (!before \&\&/
s/atomic_store_explicit(&p->saved_ns, saved_ns, memory_order_relaxed);/(void)saved_ns;/
s/if (passed_ns <= 0 \&\& passed_ns >= -PASSED_MOST_NS)/if (0)/
s/if (passed_ns <= 0 \&\& passed_ns >= -PASSED_MOST_NS)/if (passed_ns <= 0)/
s/memory_order_relaxed) || passed_ns < 0)/memory_order_relaxed))/
s/return passed_ns < PASSED_MOST_NS ? passed_ns : PASSED_MOST_NS;/return passed_ns;/
s/return ns < least_ns ? least_ns : ns > most_ns ? most_ns : ns;/return ns > most_ns ? most_ns : ns;/
s/return ns < least_ns ? least_ns : ns > most_ns ? most_ns : ns;/return ns < least_ns ? least_ns : ns;/
s/if (millicpus == HPT_PURSE_ANY)/if (0)/
s/least_ns = -gain_ns(HPT_PURSE_DEBT_NS, millicpus);/least_ns = 0;/
s/added_ns = gain_ns(take_time_ns(p, now_ns), millicpus) - within(spun_ns, 0, most_ns - least_ns);/added_ns = gain_ns(take_time_ns(p, now_ns), millicpus);/
s/within(spun_ns, 0, most_ns - least_ns);/spun_ns;/
s/return saved_ns > 0;/return saved_ns >= 0;/
