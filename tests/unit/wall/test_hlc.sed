# SPDX-License-Identifier: MIT

#: lib/wall/hlc.c hlc hlc_copies
s/max_ahead_ns < 0 || flags)/flags)/
s/max_ahead_ns < 0 || flags)/max_ahead_ns < 0)/
s/	if (!w || !ret || max/	if (!ret || max/
s/	if (!w || !ret || max/	if (!w || max/
s/h->w = hpt_wall_ref(w);/h->w = w;/
s/^		hpt_wall_close(h->w);/		;/
s/	if (likely(last < most_ns))/	if (likely(last <= most_ns))/
s/	if (likely(last < most_ns))/	if (likely(0))/
s/	return last > atomic_load_explicit(&h->floor, memory_order_relaxed) \&\& last != INT64_MAX;/	return 0;/
s/	return last > atomic_load_explicit(&h->floor, memory_order_relaxed) \&\& last != INT64_MAX;/	return last != INT64_MAX;/
s/ \&\& last != INT64_MAX;/;/
s/	return last > atomic_load_explicit(&h->floor/	return last >= atomic_load_explicit(\&h->floor/
s/least_ns > last ? least_ns : last + 1/least_ns >= last ? least_ns : last + 1/
s/memory_order_relaxed) != hpt_process();/memory_order_relaxed) != hpt_process() \&\& 0;/
s/	if (unlikely(!h || !ret))/	if (unlikely(!h))/
s/	if (unlikely(!h || !ret))/	if (unlikely(!ret))/
s/^	if (!h || !ret)/	if (!h)/
s/^	if (!h || !ret)/	if (!ret)/
s/give(h, latest_ns, hpt_sum(latest_ns, h->max_ahead_ns), ret)/give(h, latest_ns, INT64_MAX, ret)/
s/hpt_sum(latest_ns, h->max_ahead_ns), ret)/latest_ns + h->max_ahead_ns, ret)/
s/	return unlikely(r == -EAGAIN) ? now_again(h, ret) : r;/	return r;/
s/hpt_wall_is_special(w) || w->max_width_ns != UINT64_MAX))/hpt_wall_is_special(w)))/
s/hpt_wall_is_special(w) || w->max_width_ns != UINT64_MAX))/w->max_width_ns != UINT64_MAX))/
s/passed >= HPT_WALL_LOAD(words, span) || //
s/	if (is_clone(h) || (r \&\& is_foreign(h)))/	if (r \&\& is_foreign(h))/
s/	if (is_clone(h) || (r \&\& is_foreign(h)))/	if (is_clone(h))/
s/src->env->random() + src->read(src);/src->read(src);/
s/src->env->random() + src->read(src);/src->env->random();/
s/	return number ? number : 1;/	return number;/
s/	if (!atomic_load_explicit(&w->vmclock, memory_order_relaxed))/	if (0)/
s/	return has_counted(w) || hpt_wall_look(w);/	return has_counted(w);/
s/	return has_counted(w) || hpt_wall_look(w);/	return true;/
s/	(void)count_clones(w);/	;/
s/	(void)count_clones(h->w);/	;/
s/	return is_foreign(h) || is_clone(h);/	return is_foreign(h);/
s/	return is_foreign(h) || is_clone(h);/	return is_clone(h);/
s/	while (needs_floor(h))/	if (needs_floor(h))/
s/	if (count_clones(h->w) \&\& !is_foreign(h) \&\& !is_clone(h)) {/	if (!is_foreign(h) \&\& !is_clone(h)) {/
s/	if (count_clones(h->w) \&\& !is_foreign(h) \&\& !is_clone(h)) {/	if (count_clones(h->w) \&\& !is_clone(h)) {/
s/	if (count_clones(h->w) \&\& !is_foreign(h) \&\& !is_clone(h)) {/	if (count_clones(h->w) \&\& !is_foreign(h)) {/
s/	return page \&\& hpt_vmclock_read_marks(page, &marks) \&\& marks.has_generation;/	return page \&\& hpt_vmclock_read_marks(page, \&marks);/
s/	return page \&\& hpt_vmclock_read_marks(page, &marks) \&\& marks.has_generation;/	return hpt_vmclock_read_marks(page, \&marks) \&\& marks.has_generation;/
s/	if (!h || !ret || size < HPT_HLC_INFO_SIZE_V0)/	if (!h || !ret)/
s/	if (!h || !ret || size < HPT_HLC_INFO_SIZE_V0)/	if (!h || size < HPT_HLC_INFO_SIZE_V0)/
s/	if (!h || !ret || size < HPT_HLC_INFO_SIZE_V0)/	if (!ret || size < HPT_HLC_INFO_SIZE_V0)/
s/	if (!atomic_compare_exchange_strong_explicit(&h->incarnation, &was, number, memory_order_relaxed,/	if ((h->incarnation = number, 0) \&\& !atomic_compare_exchange_strong_explicit(\&h->incarnation, \&was, number, memory_order_relaxed,/
s/	most_ns = hpt_sum(latest_ns, h->max_ahead_ns);/	most_ns = latest_ns + h->max_ahead_ns;/
s/	if (remote_ns > most_ns || remote_ns == INT64_MAX)/	if (remote_ns > most_ns)/
s/	if (remote_ns > most_ns || remote_ns == INT64_MAX)/	if (remote_ns == INT64_MAX)/
s/	if (remote_ns > most_ns || remote_ns == INT64_MAX)/	if (remote_ns >= most_ns || remote_ns == INT64_MAX)/
s/remote_ns < latest_ns ? latest_ns : remote_ns + 1/latest_ns/
s/remote_ns + 1, most_ns, ret)/remote_ns + 1, INT64_MAX, ret)/
s/	return r == -EBADMSG || r == -EAGAIN ? try/	return r == -EBADMSG ? try/
s/	return r == -EBADMSG || r == -EAGAIN ? try/	return r == -EAGAIN ? try/
s/	while (was < least \&\&/	while (was != least \&\&/
s/^	if (atomic_load_explicit(&h->last, memory_order_relaxed) < floor_ns)/	if (1)/
s/	if (!h || floor_ns == INT64_MAX)/	if (!h)/
s/	if (!h || floor_ns == INT64_MAX)/	if (floor_ns == INT64_MAX)/

#: lib/wall/hlc.c model-hlc
s/	return last > atomic_load_explicit(&h->floor/	return last != atomic_load_explicit(\&h->floor/
s/^	atomic_thread_fence(memory_order_acquire);/	;/
s/^		raise_to(&h->floor, floor_ns);/		atomic_store_explicit(\&h->floor, floor_ns, memory_order_release);/
s/^		raise_to(&h->floor, floor_ns);/		raise_to(\&h->last, floor_ns), raise_to(\&h->floor, floor_ns);/
s/&was, least, memory_order_release,/\&was, least, memory_order_relaxed,/
s/	atomic_store_explicit(&h->process, hpt_process(), memory_order_release);/	atomic_store_explicit(\&h->process, hpt_process(), memory_order_relaxed);/
s/^		atomic_thread_fence(memory_order_acquire);/		;/
s/	} while (unlikely(!atomic_compare_exchange_weak_explicit(&h->last, &last, next, memory_order_relaxed,/	} while (unlikely((atomic_store_explicit(\&h->last, next, memory_order_relaxed), 0) \&\& !atomic_compare_exchange_weak_explicit(\&h->last, \&last, next, memory_order_relaxed,/
s/	atomic_store_explicit(&h->process, hpt_process(), memory_order_release);/	;/
