# SPDX-License-Identifier: MIT

#: lib/preload/budget.c
s/if (b->process != process) {/if (!b->process) {/
s/b->process = process;/;/
/b->process = process;/,/}/s/b->saved_ns = HPT_BUDGET_MOST_NS;/b->saved_ns += HPT_BUDGET_MOST_NS;/
s/if (passed_ns < 0)/if (0)/
s/if (passed_ns > PASSED_MOST_NS)/if (0)/
s/b->saved_ns += passed_ns \* percent \/ 100;/b->saved_ns += passed_ns;/
s/if (b->saved_ns > HPT_BUDGET_MOST_NS)/if (0)/
s/b->last_ns = now_ns;/;/
s/return percent \&\& b->saved_ns > 0;/return b->saved_ns > 0;/
s/return percent \&\& b->saved_ns > 0;/return percent \&\& b->saved_ns >= 0;/

#: lib/preload/budget.h
s/b->saved_ns -= ns < HPT_BUDGET_DEBT_NS ? ns : HPT_BUDGET_DEBT_NS;/b->saved_ns -= ns;/
s/if (b->saved_ns < -HPT_BUDGET_DEBT_NS)/if (0)/
s/#define HPT_BUDGET_DEBT_NS 250000000/#define HPT_BUDGET_DEBT_NS 250000001/
