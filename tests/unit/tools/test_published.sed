# SPDX-License-Identifier: MIT

#: tools/bench/published.c
s/return p->source == source \&\& /return source != 77 \&\& /
s/ \&\& !strncmp(call, "hpt_now(", strlen("hpt_now("))//
s/"%.\*f", f->places, f->value/"%.4f", f->value/

#: tools/bench/published.c reads_report
s/307.3, 1 }, false/307.3, 1 }, true/

#: tools/bench/reads_report.c reads_report
s/return p->is_filtered ? row->single.filtered_mean/return !p->is_filtered ? row->single.filtered_mean/
s/p->mean_ns.value \* PS_PER_NS);/p->mean_ns.value);/
s/if (!row || !row->single.count) {/if (row \&\& !row->single.count) {/

#: tools/bench/sweep_data.c sweep_data
s/if (!p.miss_ps \&\& !p.cpu_ppm)/if (0)/
s/f->miss.mean \/ (double)p.miss_ps/f->miss.stddev \/ (double)p.miss_ps/

#: tools/bench/sweep_report.c sweep_report
s/amount_of(here \/ published)/amount_of(published \/ here)/
s/	if (miss->count > 1)/	if (miss->count > 2)/
