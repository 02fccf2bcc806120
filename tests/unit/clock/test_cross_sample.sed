# SPDX-License-Identifier: MIT

#: lib/clock/cross_sample.c
s/if (round_width(&r) < round_width(ret))/if (0)/
s/if (!r->is_refused\[i\] && r->ticks/if (r->ticks/
s/	if (r->is_refused\[i\])$/	if (0)/
s/(r->ticks\[i + 1\] - r->ticks\[i\]) \/ 2)/0)/
s/(int64_t)r->ticks\[MIDDLE\]), &ns/(int64_t)r->ticks[MIDDLE] + 100), \&ns/
s/ && ++tries < CROSS_TRIES/ \&\& 0/
s/	if (hpt_record_is_exact(rec)) {/	if (0) {/
s/!ret || size < HPT_SAMPLE_SIZE_V0/!ret/
s/!ret || size < HPT_SAMPLE_SIZE_V0/size < HPT_SAMPLE_SIZE_V0/
s/hpt_scale_round((int64_t)ticks, rec->convert.ns_per_tick)/hpt_scale_round((int64_t)ticks \/ 2, rec->convert.ns_per_tick)/
s/hpt_record_is_learning(rec) ? 2 \* took_ns :/0 ? took_ns :/
s/	if (hpt_record_is_learning(rec))$/	if (0)/
s/ret->generation = rec.generation;/ret->generation = 1;/
