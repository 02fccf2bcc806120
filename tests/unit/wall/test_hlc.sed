# SPDX-License-Identifier: MIT

#: lib/wall/hlc.c
s/max_ahead_ns < 0 || flags)/flags)/
s/max_ahead_ns < 0 || flags)/max_ahead_ns < 0)/
s/	if (!w || !ret || max/	if (!ret || max/
s/	if (!w || !ret || max/	if (!w || max/
s/h->w = hpt_wall_ref(w);/h->w = w;/
s/^		hpt_wall_close(h->w);/		;/
s/if (unlikely(last >= most_ns))/if (unlikely(last > most_ns))/
s/least_ns > last ? least_ns : last + 1/least_ns >= last ? least_ns : last + 1/
s/	} while (unlikely(!atomic_compare_exchange_weak_explicit(&h->last, &last, next, memory_order_acq_rel,/	} while (unlikely((h->last = next, 0) \&\& !atomic_compare_exchange_weak_explicit(\&h->last, \&last, next, memory_order_acq_rel,/
s/memory_order_relaxed) != hpt_process();/memory_order_relaxed) != hpt_process() \&\& 0;/
s/if (unlikely(!h || !ret))/if (unlikely(!h))/
s/	if (!h || !ret)/	if (!h)/
s/give(h, latest_ns, hpt_sum(latest_ns, h->max_ahead_ns), ret)/give(h, latest_ns, INT64_MAX, ret)/
s/hpt_sum(latest_ns, h->max_ahead_ns), ret)/latest_ns + h->max_ahead_ns, ret)/
s/ || w->max_width_ns != UINT64_MAX || passed >= span ||/ || passed >= span ||/
s/ || passed >= span ||/ ||/
s/	most_ns = hpt_sum(latest_ns, h->max_ahead_ns);/	most_ns = latest_ns + h->max_ahead_ns;/
s/	if (remote_ns > most_ns || remote_ns == INT64_MAX)/	if (remote_ns > most_ns)/
s/	if (remote_ns > most_ns || remote_ns == INT64_MAX)/	if (remote_ns == INT64_MAX)/
s/	if (remote_ns > most_ns || remote_ns == INT64_MAX)/	if (remote_ns >= most_ns || remote_ns == INT64_MAX)/
s/remote_ns < latest_ns ? latest_ns : remote_ns + 1/latest_ns/
s/hpt_sum(most_ns, 1), ret)/most_ns, ret)/
s/	if (!h || floor_ns == INT64_MAX)/	if (!h)/
s/	if (!h || floor_ns == INT64_MAX)/	if (floor_ns == INT64_MAX)/
s/	while (last < floor_ns \&\&/	while (last != floor_ns \&\&/
s/	atomic_store_explicit(&h->process, hpt_process(), memory_order_release);/	;/
