// SPDX-License-Identifier: MIT
/*
 * Hybrid logical clocks (Kulkarni et al. 2014), over a wall's latest_ns: timestamps that strictly increase in this
 * process, and beyond those that came from others. A word and a compare-and-swap: no lock, and no time that runs ahead
 * of the wall by more than the program allows.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "machine/process.h"
#include "wall/wall_read.h"

struct hpt_hlc {
	struct hpt_wall *w;
	int64_t max_ahead_ns;
	_Atomic uint32_t process;          /* that may give timestamps: a forked child has its parent's */
	_Alignas(64) _Atomic int64_t last; /* the latest timestamp, or the floor */
};

COLD int hpt_hlc_new(hpt_wall *w, int64_t max_ahead_ns, uint32_t flags, hpt_hlc **ret)
{
	struct hpt_hlc *h;
	int saved = errno;

	if (!w || !ret || max_ahead_ns < 0 || flags)
		return -EINVAL;
	h = aligned_alloc(_Alignof(struct hpt_hlc), sizeof(*h));
	errno = saved;
	if (!h)
		return -ENOMEM;
	memset(h, 0, sizeof(*h));
	h->w = hpt_wall_ref(w);
	h->max_ahead_ns = max_ahead_ns;
	atomic_init(&h->process, hpt_process());
	atomic_init(&h->last, INT64_MIN);
	*ret = h;
	return 0;
}

COLD void hpt_hlc_free(hpt_hlc *h)
{
	if (h)
		hpt_wall_close(h->w);
	free(h);
}

/* In a forked child, whose timestamps could be its parent's too. */
static inline bool is_foreign(const struct hpt_hlc *h)
{
	return atomic_load_explicit(&h->process, memory_order_relaxed) != hpt_process();
}

/* Gives the timestamp: the least one that is at least `least_ns` and above the latest, if it is not beyond most_ns. */
static inline int give(struct hpt_hlc *h, int64_t least_ns, int64_t most_ns, int64_t *ret)
{
	int64_t last = atomic_load_explicit(&h->last, memory_order_relaxed), next;

	do {
		if (unlikely(last >= most_ns))
			return is_foreign(h) ? -ESTALE : -EAGAIN;
		next = least_ns > last ? least_ns : last + 1;
	} while (unlikely(!atomic_compare_exchange_weak_explicit(&h->last, &last, next, memory_order_acq_rel,
								 memory_order_relaxed)));
	/* Not before: a signal handler may fork in between. */
	if (unlikely(is_foreign(h)))
		return -ESTALE;
	*ret = next;
	return 0;
}

/*
 * latest_ns alone, by the wall's read without a call; the other checks run while the counter's instruction waits.
 * Returns as hpt_wall_now().
 */
static inline int read_latest(const struct hpt_hlc *h, int64_t *ret_ns)
{
	struct hpt_wall *w = h->w;
	uint64_t tick = unlikely(w->counts_raw) ? 0 : hpt_source_now(&w->clk->src);
	uint32_t seen;
	const hpt_word *words = hpt_wall_words(w, &seen);
	uint64_t passed = tick - HPT_WALL_LOAD(words, bound.tick), span = HPT_WALL_LOAD(words, span);
	struct hpt_wall_time t;
	int r = 0;

	*ret_ns = hpt_wall_latest_ns(words, passed);
	if (unlikely(hpt_wall_is_special(w) || w->max_width_ns != UINT64_MAX || passed >= span ||
		     !hpt_seqlatch_same(&w->latch, seen))) {
		r = hpt_wall_now(w, &t);
		if (!r)
			*ret_ns = t.latest_ns;
	}
	return unlikely(r) && is_foreign(h) ? -ESTALE : r;
}

HOT int hpt_hlc_now(hpt_hlc *h, int64_t *ret)
{
	int64_t latest_ns;
	int r;

	if (unlikely(!h || !ret))
		return -EINVAL;
	r = read_latest(h, &latest_ns);
	return unlikely(r) ? r : give(h, latest_ns, hpt_sum(latest_ns, h->max_ahead_ns), ret);
}

/* A remote timestamp may be as far ahead as is allowed, and this one is beyond it. */
int hpt_hlc_receive(hpt_hlc *h, int64_t remote_ns, int64_t *ret)
{
	int64_t latest_ns, most_ns, next_ns;
	int r;

	if (!h || !ret)
		return -EINVAL;
	r = read_latest(h, &latest_ns);
	if (r)
		return r;
	most_ns = hpt_sum(latest_ns, h->max_ahead_ns);
	if (remote_ns > most_ns || remote_ns == INT64_MAX)
		return -ERANGE;
	next_ns = remote_ns < latest_ns ? latest_ns : remote_ns + 1;
	return give(h, next_ns, hpt_sum(most_ns, 1), ret);
}

COLD int hpt_hlc_set_floor(hpt_hlc *h, int64_t floor_ns)
{
	int64_t last;

	if (!h || floor_ns == INT64_MAX)
		return -EINVAL;
	last = atomic_load_explicit(&h->last, memory_order_relaxed);
	while (last < floor_ns &&
	       !atomic_compare_exchange_weak_explicit(&h->last, &last, floor_ns, memory_order_acq_rel,
						      memory_order_relaxed))
		;
	atomic_store_explicit(&h->process, hpt_process(), memory_order_release);
	return 0;
}
