# SPDX-License-Identifier: MIT

#: tools/bench/paced.c
s/plan->load <= BUSY_MAX \&\& //
s/plan->threads >= 1 \&\& //
s/plan->threads <= PACED_THREADS_MAX \&\&/1 \&\&/
s/ \&\& plan->rounds <= PACED_ROUNDS_MAX \/ plan->threads//
s/PACED_ROUNDS_MAX \/ plan->threads/PACED_ROUNDS_MAX/
s/late + (size_t)i \* paced_rates/late + 0 * paced_rates/
s/	crew_await(r->crew);/	;/
s/	if (number)$/	if (0)/
s/	return s->plan.threads \* paced_rates/	return paced_rates/
/^static bool take_turn/,/^}/s/i < r->s->plan.threads; i++)$/i < 1; i++)/
s/	to->over += of->over;/	;/
s/	to->cpu_ns += of->cpu_ns;/	;/
s/missed = late > 0 ? late \/ pace->period_ticks : 0;/missed = late > 0 ? 1 : 0;/
s/turn->missed += (uint32_t)missed;/;/
s/turn->early += late < 0;/turn->early += late <= 0 \&\& 0;/
s/turn->disturbed += r->set->ways\[r->way\].sleep(&asked, &times) != 0;/r->set->ways[r->way].sleep(\&asked, \&times);/
s/if (!settle(r, number))/if (0)/
s/	shuffle(.*/	for (unsigned k = 0; k \< n; k++) order[k] = k;/
s/atomic_store_explicit(&s->rounds_done, round + 1, memory_order_release);/;/
s/return stats_quantile(room, n, q);/return stats_quantile(ps, n, q);/
s/quantile_of(row->late_ps + round \* sleeps, sleeps, 0.99, room)/quantile_of(row->late_ps, sleeps, 0.99, room)/
s/(cpu_ns + (int64_t)n \/ 2) \/ (int64_t)n/cpu_ns/
s/ > PACED_OVER_NS;/ >= PACED_OVER_NS;/
s/turn->over += .*/;/
s/row->over += turn->over;/;/
s/	       !(plan->load \&\& plan->quota_percent); .*/	       1;/
s/quantile_of(rounds, n, 0.25, room)/quantile_of(rounds, n, 0.5, room)/
s/quantile_of(rounds, n, 0.75, room)/quantile_of(rounds, n, 1, room)/
s/^\town_slice_leave(slice_ns);/\t;/
s/own_slice_take(&r->set->ways\[r->way\], r->slice_ns)/0/
