// SPDX-License-Identifier: MIT
/*
 * Hybrid logical clocks (Kulkarni et al. 2014), over a wall's latest_ns: timestamps that strictly increase in this
 * process, and beyond those that came from others. A word and a compare-and-swap, no lock.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "machine/process.h"
#include "clock/sized.h"
#include "wall/vmclock.h"
#include "wall/wall_keeper.h"
#include "wall/wall_read.h"

struct hpt_hlc {
	struct hpt_wall *w;
	int64_t max_ahead_ns;
	/* Who may give timestamps: a forked child has its parent's process, a clone a wall that has counted it. */
	_Atomic uint32_t process;
	_Atomic int64_t clones;
	_Atomic uint64_t incarnation;      /* a random number for both; not 0 */
	_Alignas(64) _Atomic int64_t last; /* the latest timestamp, or the floor */
	_Atomic int64_t floor;             /* the highest that was set above `last` */
};

/*
 * The kernel's bits are enough, if the kernel knows of a clone already; if not, clones that go on at different ticks
 * still differ.
 */
static COLD uint64_t new_incarnation(const struct hpt_wall *w)
{
	const struct hpt_source *src = &w->clk->src;
	int saved = errno;
	uint64_t number = src->env->random() + src->read(src);

	errno = saved;
	return number ? number : 1;
}

/* True if the wall's record has counted each clone until now. Not inlined: a look needs a copy on the stack too. */
static COLD __attribute__((noinline)) bool has_counted(struct hpt_wall *w)
{
	struct hpt_wall_record rec;
	uint64_t tick;

	return !hpt_wall_present(w, &rec, &tick);
}

/* Makes the record count each clone until now, as reads do while there is a bound. False: it cannot now. */
static COLD bool count_clones(struct hpt_wall *w)
{
	if (!atomic_load_explicit(&w->vmclock, memory_order_relaxed))
		return true;
	return has_counted(w) || hpt_wall_look(w);
}

/* A turn more for each record that is published meanwhile. */
static int64_t clones_of(const struct hpt_wall *w)
{
	const hpt_word *words;
	int64_t clones;
	uint32_t seen;

	do {
		words = hpt_wall_words(w, &seen);
		clones = (int64_t)HPT_WALL_LOAD(words, clones);
	} while (unlikely(!hpt_seqlatch_same(&w->latch, seen)));
	return clones;
}

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
	(void)count_clones(w);
	atomic_init(&h->clones, clones_of(w));
	atomic_init(&h->incarnation, new_incarnation(w));
	atomic_init(&h->last, INT64_MIN);
	atomic_init(&h->floor, INT64_MIN);
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

/*
 * In a clone of the machine, or of its memory, whose timestamps could be those of another one. A read that returned a
 * time has compared VMClock's page with a record after it read the counter; the record here is that one or a later one.
 */
static bool is_clone(const struct hpt_hlc *h)
{
	return atomic_load_explicit(&h->clones, memory_order_relaxed) != clones_of(h->w);
}

/*
 * A timestamp that was given is passed however far the wall has come back since, as it does with each sample that
 * narrows it: last + 1 is greater, and a wait would stop all threads just when the bound is good again. An unreached
 * floor is not passed: the wall never said that time, and it may be far off.
 *
 * hpt_hlc_set_floor() raises `floor` before `last`, and both only rise. So a thread that sees a floor in `last` finds
 * that one or a higher one in `floor`, whichever floors are set at once, and stops. `last` is beyond `floor` again
 * after the first timestamp beyond it, which the wall has let pass. A timestamp that is given while a floor of the same
 * value or more is being set is taken for it, which stops timestamps until the wall is there: what the floor is for.
 */
static inline bool may_pass(const struct hpt_hlc *h, int64_t last, int64_t most_ns)
{
	if (likely(last < most_ns))
		return true;
	atomic_thread_fence(memory_order_acquire);
	return last > atomic_load_explicit(&h->floor, memory_order_relaxed) && last != INT64_MAX;
}

/*
 * Gives the timestamp: the least one that is at least `least_ns` and above the latest. -EAGAIN: the latest may not be
 * passed, as it is from most_ns on.
 */
static inline int give(struct hpt_hlc *h, int64_t least_ns, int64_t most_ns, int64_t *ret)
{
	int64_t last = atomic_load_explicit(&h->last, memory_order_relaxed), next;

	do {
		if (unlikely(!may_pass(h, last, most_ns)))
			return is_foreign(h) ? -ESTALE : -EAGAIN;
		next = least_ns > last ? least_ns : last + 1;
	} while (unlikely(!atomic_compare_exchange_weak_explicit(&h->last, &last, next, memory_order_relaxed,
								 memory_order_relaxed)));
	/* Not before: a signal handler may fork in between. */
	if (unlikely(is_foreign(h)))
		return -ESTALE;
	*ret = next;
	return 0;
}

/* By the read of all walls. Returns as hpt_wall_now(), or -ESTALE. */
static __attribute__((noinline)) int read_by_wall(const struct hpt_hlc *h, int64_t *ret_ns)
{
	struct hpt_wall_time t;
	int r = hpt_wall_now(h->w, &t);

	if (is_clone(h) || (r && is_foreign(h)))
		return -ESTALE;
	if (!r)
		*ret_ns = t.latest_ns;
	return r;
}

/* latest_ns alone, by the wall's read without a call, where that is enough. Returns as read_by_wall(). */
static inline int read_latest(const struct hpt_hlc *h, int64_t *ret_ns)
{
	struct hpt_wall *w = h->w;
	const hpt_word *words;
	uint64_t tick, passed;
	uint32_t seen;

	if (unlikely(hpt_wall_is_special(w) || w->max_width_ns != UINT64_MAX))
		return read_by_wall(h, ret_ns);
	tick = hpt_source_now(&w->clk->src);
	words = hpt_wall_words(w, &seen);
	passed = tick - HPT_WALL_LOAD(words, bound.tick);
	*ret_ns = hpt_wall_latest_ns(words, passed);
	if (unlikely(passed >= HPT_WALL_LOAD(words, span) || !hpt_seqlatch_same(&w->latch, seen)))
		return read_by_wall(h, ret_ns);
	return 0;
}

/* As hpt_hlc_now(). */
static inline int try_now(struct hpt_hlc *h, int64_t *ret)
{
	int64_t latest_ns;
	int r = read_latest(h, &latest_ns);

	return unlikely(r) ? r : give(h, latest_ns, hpt_sum(latest_ns, h->max_ahead_ns), ret);
}

/* A look is stale if the thread lost its processor after it: others may have gone on, by later looks, since. */
static COLD __attribute__((noinline)) int now_again(struct hpt_hlc *h, int64_t *ret)
{
	return try_now(h, ret);
}

HOT int hpt_hlc_now(hpt_hlc *h, int64_t *ret)
{
	int r;

	if (unlikely(!h || !ret))
		return -EINVAL;
	r = try_now(h, ret);
	return unlikely(r == -EAGAIN) ? now_again(h, ret) : r;
}

/* The remote timestamp is limited by the wall alone: what others state never lets the next one go farther. */
static int try_receive(struct hpt_hlc *h, int64_t remote_ns, int64_t *ret)
{
	int64_t latest_ns, most_ns;
	int r = read_latest(h, &latest_ns);

	if (r)
		return r;
	most_ns = hpt_sum(latest_ns, h->max_ahead_ns);
	if (remote_ns > most_ns || remote_ns == INT64_MAX)
		return -EBADMSG;
	return give(h, remote_ns < latest_ns ? latest_ns : remote_ns + 1, most_ns, ret);
}

int hpt_hlc_receive(hpt_hlc *h, int64_t remote_ns, int64_t *ret)
{
	int r;

	if (!h || !ret)
		return -EINVAL;
	r = try_receive(h, remote_ns, ret);
	return r == -EBADMSG || r == -EAGAIN ? try_receive(h, remote_ns, ret) : r;
}

static void raise_to(_Atomic int64_t *value, int64_t least)
{
	int64_t was = atomic_load_explicit(value, memory_order_relaxed);

	while (was < least && !atomic_compare_exchange_weak_explicit(value, &was, least, memory_order_release,
								     memory_order_relaxed))
		;
}

static COLD bool needs_floor(const struct hpt_hlc *h)
{
	(void)count_clones(h->w);
	return is_foreign(h) || is_clone(h);
}

/*
 * The clones are counted before the number is drawn, so the number is as new. One that another thread replaced may be
 * older than that one's, and is dropped.
 */
static COLD void renew_incarnation(struct hpt_hlc *h)
{
	uint64_t was = atomic_load_explicit(&h->incarnation, memory_order_relaxed);
	int64_t clones = clones_of(h->w);
	uint64_t number = new_incarnation(h->w);

	if (!atomic_compare_exchange_strong_explicit(&h->incarnation, &was, number, memory_order_relaxed,
						     memory_order_relaxed))
		return;
	raise_to(&h->clones, clones);
	atomic_store_explicit(&h->process, hpt_process(), memory_order_release);
}

COLD int hpt_hlc_set_floor(hpt_hlc *h, int64_t floor_ns)
{
	if (!h || floor_ns == INT64_MAX)
		return -EINVAL;
	/* A timestamp that was given is no floor, and is passed. */
	if (atomic_load_explicit(&h->last, memory_order_relaxed) < floor_ns)
		raise_to(&h->floor, floor_ns);
	raise_to(&h->last, floor_ns);
	while (needs_floor(h))
		renew_incarnation(h);
	return 0;
}

static bool sees_clones(const struct hpt_wall *w)
{
	const volatile void *page = atomic_load_explicit(&w->vmclock, memory_order_relaxed);
	struct hpt_wall_marks marks;

	return page && hpt_vmclock_read_marks(page, &marks) && marks.has_generation;
}

COLD int hpt_hlc_get_info(hpt_hlc *h, struct hpt_hlc_info *ret, size_t size)
{
	struct hpt_hlc_info info = { 0 };

	if (!h || !ret || size < HPT_HLC_INFO_SIZE_V0)
		return -EINVAL;
	info.sees_clones = sees_clones(h->w);
	if (count_clones(h->w) && !is_foreign(h) && !is_clone(h)) {
		/* The number is then one of after the latest clone. */
		atomic_thread_fence(memory_order_acquire);
		info.incarnation = atomic_load_explicit(&h->incarnation, memory_order_relaxed);
	}
	hpt_hand_out(ret, size, &info, sizeof(info));
	return 0;
}
