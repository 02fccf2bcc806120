# SPDX-License-Identifier: MIT

#: tools/bench/sweep_summary.c
s/return times->target ? times->after < times->target : miss_ticks < 0;/return miss_ticks < 0;/
s/h->early += is_early(times, miss_ticks);/;/
s/>= s->jiffy_ns/> s->jiffy_ns/
s/else if (way == CANDIDATE_FOR \&\& sweep_has(h->s, CANDIDATE_UNTIL))/else if (0)/
s/else if (sleep_candidates\[way\].is_ours \&\& sweep_has(h->s, CANDIDATE_UNTIL))/else if (0)/
s/ - derived_exit_ticks(s, round, length);/;/
s/ret->exit_is_derived = ret->exit.count > 0 \&\& sleep_candidates\[way\].is_ours;/;/
s/(double)times->cpu_ns \* PS_PER_NS/(double)times->cpu_ns/

#: tools/bench/sweep_summary.c sweep
s/way == CANDIDATE_FOR \&\& sweep_has(h->s, CANDIDATE_UNTIL)/way == CANDIDATE_FOR/
s/sleep_candidates\[way\].is_ours \&\& sweep_has(h->s, CANDIDATE_UNTIL)/sleep_candidates[way].is_ours/
s/		if (!sweep_has(s, way))/		if (way \&\& !sweep_has(s, way))/

#: tools/bench/plot_sweep.c plot_sweep
s/		n += sweep_has(s, way);/		n++;/
s/	if (s->plan.trace.n)/	if (0)/

#: tools/bench/plot_reads.c plot_reads
s/traces\[n\].n_times \*= traces\[n\].each;/;/
s/	if (r->plan.trace.n)/	if (0)/

#: tools/bench/sweep_data.c sweep_data
s/	csv_since(to, s, t->target, t->after);/	csv_since(to, s, t->before, t->after);/
s/	if (from \&\& until)/	if (until)/
