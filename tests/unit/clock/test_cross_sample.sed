# SPDX-License-Identifier: MIT

#: lib/clock/cross_sample.c
s/if (round_cost(&r) < round_cost(ret))/if (round_cost(\&r) + 1 < 1)/
s/^		if (ret->is_refused\[i\])$/		if (0)/
s/return apart_ns + (int64_t)slew_of((uint64_t)raw_ns) + 1;/return apart_ns * 0;/
s/return apart_ns + (int64_t)slew_of((uint64_t)raw_ns) + 1;/return apart_ns * 0 + (int64_t)slew_of((uint64_t)raw_ns) + 1;/
s/widest_ns = hpt_sum(widest_ns, 2 \* slewed_ns(rec, r));/widest_ns = hpt_sum(widest_ns, slewed_ns(rec, r));/
s/	if (r->is_refused\[i\])$/	if (0)/
s/(r->ticks\[i + 1\] - r->ticks\[i\]) \/ 2)/0)/
s/return before > after ? before : after;/return before < after ? before : after;/
s/(int64_t)r->ticks\[MIDDLE\]), &ns/(int64_t)r->ticks[MIDDLE] + 100), \&ns/
s/ && ++tries < CROSS_TRIES/ \&\& 0/
s/	if (hpt_record_is_exact(rec)) {/	if (0) {/
s/!ret || size < HPT_SAMPLE_SIZE_V0/!ret/
s/!ret || size < HPT_SAMPLE_SIZE_V0/size < HPT_SAMPLE_SIZE_V0/
s/hpt_scale_round((int64_t)ticks, rec->convert.ns_per_tick)/hpt_scale_round((int64_t)ticks \/ 2, rec->convert.ns_per_tick)/
s/hpt_record_is_learning(rec) ? 2 \* took_ns :/0 ? took_ns :/
s/	if (hpt_record_is_learning(rec))$/	if (0)/
s/ret->generation = rec.generation;/ret->generation = 1;/
