# SPDX-License-Identifier: MIT

#: tools/bench/sweep_summary.c
s/return sample->target ? sample->after < sample->target : miss_ticks < 0;/return miss_ticks < 0;/
s/h->early += is_early(sample, miss_ticks);/;/
s/>= s->jiffy_ns/> s->jiffy_ns/
s/else if (way == HPT_CANDIDATE_FOR)/else if (0)/
s/(double)sample->cpu_ns \* PS_PER_NS/(double)sample->cpu_ns/
