# SPDX-License-Identifier: MIT

#: tools/bench/paced.c
s/plan->load <= BUSY_MAX \&\& //
s/ \&\& plan->rounds <= PACED_ROUNDS_MAX//
s/missed = late > 0 ? late \/ pace->period_ticks : 0;/missed = late > 0 ? 1 : 0;/
s/turn->missed += (uint32_t)missed;/;/
s/turn->early += late < 0;/turn->early += late <= 0 \&\& 0;/
s/turn->disturbed += r->ways\[way\].sleep(&asked, &times) != 0;/r->ways[way].sleep(\&asked, \&times);/
s/if (!settle(r, way, &pace, of->period_ns))/if (0)/
s/shuffle(.*/for (unsigned k = 0; k \< PACED_RATES * PACED_WAYS; k++) order[k] = k;/
s/atomic_store_explicit(&s->rounds_done, round + 1, memory_order_release);/;/
s/return stats_quantile(room, n, q);/return stats_quantile(ps, n, q);/
s/quantile_of(row->late_ps + round \* sleeps, sleeps, 0.99, room)/quantile_of(row->late_ps, sleeps, 0.99, room)/
s/(cpu_ns + (int64_t)n \/ 2) \/ (int64_t)n/cpu_ns/
s/ > PACED_OVER_NS;/ >= PACED_OVER_NS;/
s/turn->over += .*/;/
s/row->over += turn->over;/;/
s/quantile_of(rounds, n, 0.25, room)/quantile_of(rounds, n, 0.5, room)/
s/quantile_of(rounds, n, 0.75, room)/quantile_of(rounds, n, 1, room)/
