# SPDX-License-Identifier: MIT

#: lib/clock/info.c
s/^\tif (clk->src.order == HPT_OWN_SECOND) {$/\tif (0) {/
s/^\tif (!hpt_source_is_own(&clk->src))$/\tif (0)/
s/info->rdtscp_mean_ps = other_ps;/info->rdtscp_mean_ps = info->read_cost_mean_ps;/
s/info->lfence_rdtsc_mean_ps = other_ps;/;/
