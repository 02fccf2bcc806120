# SPDX-License-Identifier: MIT

#: lib/sleep/trial.c
s/h->spun++;/;/
s/^\t\thpt_margin_forget(\&h->after_brief);$/\t\t;/
s/if (hpt_margin_samples(\&h->after_brief) > HPT_MARGIN_ENOUGH)/if (1)/
s/h->trials++;/;/
s/return samples > least ? samples : least;/return least;/
s/h->trials = 0;/;/

#: lib/sleep/kernel_phase.c
s/^\t\t\*brief_ns = left_ns \/ 2;/\t\t*brief_ns = left_ns - HPT_LEAST_WAIT_NS;/
