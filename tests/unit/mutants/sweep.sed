# SPDX-License-Identifier: MIT

#: tools/bench/sweep.c
s/plan->shortest_ns >= LEAST_NS \&\& //
s/ \&\& plan->shortest_ns <= plan->longest_ns//
s/return NS_PER_S \/ (hz ? hz : HZ_GUESS);/return NS_PER_S \/ 100;/
s/ret->n_ways = plan->is_loaded ? HPT_CANDIDATE_BUSY : HPT_CANDIDATES;/ret->n_ways = HPT_CANDIDATES;/
s/hpt_shuffle(.*/for (unsigned k = 0; k \< s->n_ways; k++) order[k] = k;/
s/set_slack(r->ways\[way\].slack_ns ? r->ways\[way\].slack_ns : r->slack_ns);/;/
s/	set_slack(r->slack_ns);/	;/
s/publish(r, round + 1, 0);/publish(r, round, 0);/
s/if (s->plan.is_loaded)/if (0)/

#: tools/bench/sweep_summary.c sweep sweep_report
s/return sample->target ? sample->after < sample->target : miss_ticks < 0;/return miss_ticks < 0;/
s/h->early += is_early(sample, miss_ticks);/;/
s/>= s->jiffy_ns/> s->jiffy_ns/
s/else if (way == HPT_CANDIDATE_FOR)/else if (0)/
s/(double)sample->cpu_ns \* PS_PER_NS/(double)sample->cpu_ns/
