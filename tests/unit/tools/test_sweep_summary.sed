# SPDX-License-Identifier: MIT

#: tools/bench/sweep_summary.c
s/return times->target ? times->after < times->target : miss_ticks < 0;/return miss_ticks < 0;/
s/h->early += is_early(times, miss_ticks);/;/
s/>= s->jiffy_ns/> s->jiffy_ns/
s/else if (way == CANDIDATE_FOR)/else if (0)/
s/else if (sleep_candidates\[way\].is_ours)/else if (0)/
s/ - derived_exit_ticks(s, round, length);/;/
s/ret->exit_is_derived = sleep_candidates\[way\].is_ours;/;/
s/(double)times->cpu_ns \* PS_PER_NS/(double)times->cpu_ns/
