# SPDX-License-Identifier: MIT

#: tools/bench/published.c
s/return p->source == source \&\& /return source != 77 \&\& /
s/ \&\& !strncmp(call, "hpt_now(", strlen("hpt_now("))//
s/"%.\*f", f->places, f->value/"%.4f", f->value/

#: tools/bench/published.c sweep_data
s/plan->longest_ns == SWEEP_LONGEST_NS/plan->longest_ns/
s/ \&\& plan->shortest_ns == SWEEP_SHORTEST_NS//
s/	       plan->step == SWEEP_STEP;/	       plan->step;/

#: tools/bench/published.c reads_report
s/307.3, 1 }, false/307.3, 1 }, true/

#: tools/bench/reads_report.c reads_report
s/return p->is_filtered ? row->single.filtered_mean/return !p->is_filtered ? row->single.filtered_mean/
s/p->mean_ns.value \* PS_PER_NS);/p->mean_ns.value);/
s/if (!row || !row->single.count) {/if (row \&\& !row->single.count) {/

#: tools/bench/sweep_data.c sweep_data
s/if (!p.miss_ps \&\& !p.cpu_ppm)/if (0)/
s/json_ratio(f->miss.mean/json_ratio(f->miss.stddev/
s/return published \&\& is_comparable/return published \&\& (is_comparable || 1)/

#: tools/bench/sweep_report.c sweep_report
s/amount_of(here \/ published)/amount_of(published \/ here)/
s/published > 0 \&\& is_comparable/published > 0 \&\& (is_comparable || 1)/
s/	if (miss->count > 1)/	if (miss->count > 2)/
