# SPDX-License-Identifier: MIT

#: lib/source/tsc.c info
s/bool is_lfence = src->order == HPT_OWN_SECOND;/bool is_lfence = false;/
s/ret->rdtscp_mean_ps = is_lfence ? other_ps : /ret->rdtscp_mean_ps = /
s/ret->lfence_rdtsc_mean_ps = is_lfence ? ret->read_cost_mean_ps : other_ps;/;/
