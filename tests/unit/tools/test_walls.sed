# SPDX-License-Identifier: MIT

#: tools/trace/walls.c
s/distance_ns < 0 ? -(double)distance_ns : //
s/\* WALLS_RATE_PPB \/ (double)PPB/* 0/
s/(int64_t)rate_ns + 2/(int64_t)rate_ns/
s/hpt_sum(from->error_ns, to->error_ns)/from->error_ns/
s/if (earliest_ns > to->earliest_ns)/if (0)/
s/if (latest_ns < to->latest_ns)/if (0)/
s/if (to->generation == from->generation)/if (1)/
s/return to->latest_ns < to->earliest_ns ? to->line : 0;/return 0;/
s/qsort(w->points, w->n, sizeof(\*w->points), compare);//
s/for (size_t i = w->n; i > 1 \&\& !line; i--)/for (size_t i = 0; i > 1; i--)/
s/after > 0 \&\& w->points\[after - 1\].generation == ret->generation/after > 0/
s/after < w->n \&\& w->points\[after\].generation == ret->generation/after < w->n/
s/ret->earliest_ns > INT64_MIN \/ 2 \&\& ret->latest_ns < INT64_MAX \/ 2/1/
