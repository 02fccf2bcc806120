# SPDX-License-Identifier: MIT

#: tools/bench/sweep.c
s/plan->shortest_ns >= LEAST_NS \&\& //
s/ \&\& plan->shortest_ns <= plan->longest_ns//
s/return NS_PER_S \/ (hz ? hz : HZ_GUESS);/return NS_PER_S \/ 100;/
s/shuffle(.*/for (unsigned k = 0; k \< n; k++) order[k] = k;/
s/return way < s->n_ways \&\& choice_has(&s->plan.only, way);/return way < s->n_ways;/
s/		slot += sweep_has(s, i);/		slot += sweep_has(s, i) || i;/
s/sum_ns \* count_measured(s) \*/sum_ns * s->n_ways */
s/set_slack(r->ways\[way\].slack_ns ? r->ways\[way\].slack_ns : r->slack_ns);/;/
s/	set_slack(r->slack_ns);/	;/
s/publish(r, round + 1, 0);/publish(r, round, 0);/
