# SPDX-License-Identifier: MIT

#: tools/trace/walls.c
s/distance_ns < 0 ? -(double)distance_ns : //
s/\* (double)w->rate_ppb/* 0/
s/(double)(PPB - w->rate_ppb)/(double)PPB/
s/(int64_t)drift + 1/(int64_t)drift/
s/drift < (double)(INT64_MAX \/ 2) ? /1 ? /
s/widen(&w->points\[w->n++\], point->error_ns);/w->n++;/
s/	widen(ret, ret->error_ns);//
s/if (earliest_ns > to->earliest_ns)/if (0)/
s/if (latest_ns < to->latest_ns)/if (0)/
s/a->generation == b->generation \&\& a->wall/a->wall/
s/ \&\& a->wall_generation == b->wall_generation//
s/	if (narrowed.earliest_ns <= narrowed.latest_ns)/	if (1)/
s/else if (!w->n_contradictions++)/else if (0)/
s/qsort(w->points, w->n, sizeof(\*w->points), compare);//
s/for (size_t i = w->n; i > 1; i--)/for (size_t i = 0; i > 1; i--)/
s/		if (w->points\[i - 2\].group == w->points\[i - 1\].group)/		if (1)/
s/before \&\& before->generation == ret->generation/before/
s/after->generation == ret->generation \&\&$/true \&\&/
s/			 (!has_before || after->group == before->group);/			 true;/
s/ret->earliest_ns > INT64_MIN \/ 2 \&\& ret->latest_ns < INT64_MAX \/ 2/1/
