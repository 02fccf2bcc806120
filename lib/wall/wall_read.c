// SPDX-License-Identifier: MIT
/* The reads of a wall: hpt_wall_now(), hpt_wall_at(), hpt_wall_after(), hpt_wall_before(). */
#include "wall/wall_read.h"

#include <errno.h>

#include "wall/vmclock.h"
#include "wall/wall_counter.h"
#include "wall/wall_keeper.h"

COLD void hpt_wall_fill(struct hpt_wall_time *ret, const struct hpt_wall_record *rec, uint64_t from, uint64_t to,
			uint64_t tick)
{
	*ret = (struct hpt_wall_time){
		.earliest_ns = hpt_bound_at(&rec->read.bound, from).lo_ns,
		.latest_ns = hpt_bound_at(&rec->read.bound, to).hi_ns,
		.tick = (hpt_time_t)tick, .generation = rec->read.generation,
		.state = (uint32_t)rec->read.status, .flags = (uint32_t)(rec->read.status >> 32),
	};
}

static COLD __attribute__((noinline)) int read_slowly(struct hpt_wall *w, struct hpt_wall_time *ret)
{
	struct hpt_wall_record rec;
	uint64_t from, to, tick;

	if (hpt_wall_present(w, &rec, &from))
		return -EAGAIN;
	tick = to = from;
	if (w->counts_raw) {
		/* The tick is the clock's, and the counter is read before and after it. */
		tick = w->clk->src.read(&w->clk->src);
		to = hpt_wall_counter(w);
	}
	hpt_wall_fill(ret, &rec, from, to, tick);
	return 0;
}

/*
 * The interval as the clock showed tick, and the counter was in [from, to]. False: the record does not serve these. It
 * may still not be one record: see hpt_wall_words().
 */
static inline __attribute__((always_inline)) bool interval(const hpt_word *words, uint64_t from, uint64_t to,
							   uint64_t tick, struct hpt_wall_time *ret)
{
	uint64_t start = HPT_WALL_LOAD(words, bound.tick), span = HPT_WALL_LOAD(words, span), status;

	ret->earliest_ns = hpt_wall_earliest_ns(words, from - start);
	ret->latest_ns = hpt_wall_latest_ns(words, to - start);
	ret->tick = (hpt_time_t)tick;
	ret->generation = HPT_WALL_LOAD(words, generation);
	status = HPT_WALL_LOAD(words, status);
	ret->state = (uint32_t)status;
	ret->flags = (uint32_t)(status >> 32);
	return likely(from - start < span && to - start < span);
}

/*
 * With VMClock's page, which is looked at after the counter was read, so that a move in between is not missed. What
 * comes before the fence runs while the counter's instruction waits, what comes after it waits: so all else is before.
 */
static HOT __attribute__((noinline)) int read_with_page(struct hpt_wall *w, struct hpt_wall_time *ret)
{
	const volatile void *page = atomic_load_explicit(&w->vmclock, memory_order_relaxed);
	uint64_t tick = hpt_source_now(&w->clk->src);
	uint32_t seen;
	const hpt_word *words = hpt_wall_words(w, &seen);
	struct hpt_wall_time t;
	bool is_served = interval(words, tick, tick, tick, &t);

	arch_fence_loads();
	if (unlikely(!is_served || !hpt_seqlatch_same(&w->latch, seen) ||
		     !hpt_vmclock_is_same(page, HPT_WALL_LOAD(words, marker), HPT_WALL_LOAD(words, marker_seq))))
		return read_slowly(w, ret);
	*ret = t;
	return 0;
}

/* The tick is the clock's, and the record's counter is read before and after it. */
static __attribute__((noinline)) int read_by_raw(struct hpt_wall *w, struct hpt_wall_time *ret)
{
	uint64_t from = hpt_wall_counter(w), tick = w->clk->src.read(&w->clk->src), to = hpt_wall_counter(w);
	uint32_t seen;
	const hpt_word *words = hpt_wall_words(w, &seen);
	struct hpt_wall_time t;

	/* A page is looked at by the slow path. */
	if (atomic_load_explicit(&w->vmclock, memory_order_relaxed) || !interval(words, from, to, tick, &t) ||
	    !hpt_seqlatch_same(&w->latch, seen))
		return read_slowly(w, ret);
	*ret = t;
	return 0;
}

/*
 * The counter is read first: the record's loads need not be done before it then, and run while the instruction waits. A
 * record that is published meanwhile may begin after that tick, which is then far outside of its span. It may also
 * begin before: its lines are right at any tick of its span, whenever they are loaded. One that is loaded later never
 * has an earlier lower line in its generation, so that order between reads keeps its meaning.
 */
static inline __attribute__((always_inline)) int wall_read(struct hpt_wall *w, struct hpt_wall_time *ret)
{
	struct hpt_wall_time t;
	const hpt_word *words;
	uint64_t tick;
	uint32_t seen;

	if (unlikely(hpt_wall_is_special(w)))
		return w->counts_raw ? read_by_raw(w, ret) : read_with_page(w, ret);
	tick = hpt_source_now(&w->clk->src);
	words = hpt_wall_words(w, &seen);
	if (unlikely(!interval(words, tick, tick, tick, &t) || !hpt_seqlatch_same(&w->latch, seen)))
		return read_slowly(w, ret);
	*ret = t;
	return 0;
}

HOT int hpt_wall_read(struct hpt_wall *w, struct hpt_wall_time *ret)
{
	return wall_read(w, ret);
}

/* Outputs stay untouched on failure: with a limit the read goes to a struct of its own. */
static COLD __attribute__((noinline)) int read_limited(struct hpt_wall *w, struct hpt_wall_time *ret)
{
	struct hpt_wall_time t;
	int r = hpt_wall_read(w, &t);

	if (!r && hpt_wall_is_too_wide(w, &t))
		r = -ERANGE;
	if (!r)
		*ret = t;
	return r;
}

HOT int hpt_wall_now(hpt_wall *w, struct hpt_wall_time *ret)
{
	if (unlikely(!w || !ret))
		return -EINVAL;
	if (unlikely(w->max_width_ns != UINT64_MAX))
		return read_limited(w, ret);
	return wall_read(w, ret);
}

/* Before the record's tick the lines are mirrored: they hold back to the generation's first sample. */
static COLD int read_at(struct hpt_wall *w, uint64_t tick, struct hpt_wall_time *ret)
{
	struct hpt_wall_record rec;
	uint64_t now, from, to;

	if (hpt_wall_present(w, &rec, &now))
		return -EAGAIN;
	if ((int64_t)(w->clk->src.read(&w->clk->src) - tick) < 0 || (int64_t)(tick - rec.first_clock_tick) < 0)
		return -ERANGE;
	hpt_wall_counter_at(w, tick, &from, &to);
	/* The counter was not before its first tick then, however little the clock says of it. */
	if ((int64_t)(from - rec.first) < 0)
		from = rec.first;
	hpt_wall_fill(ret, &rec, from, to, tick);
	return hpt_wall_is_too_wide(w, ret) ? -ERANGE : 0;
}

COLD int hpt_wall_at(hpt_wall *w, hpt_time_t t, struct hpt_wall_time *ret)
{
	struct hpt_wall_time time;
	int r = w && ret ? read_at(w, (uint64_t)t, &time) : -EINVAL;

	if (!r)
		*ret = time;
	return r;
}

ALIGNED int hpt_wall_after(hpt_wall *w, int64_t unix_ns)
{
	struct hpt_wall_time t;
	int r = w ? hpt_wall_read(w, &t) : -EINVAL;

	return r ? r : t.earliest_ns > unix_ns;
}

ALIGNED int hpt_wall_before(hpt_wall *w, int64_t unix_ns)
{
	struct hpt_wall_time t;
	int r = w ? hpt_wall_read(w, &t) : -EINVAL;

	return r ? r : t.latest_ns < unix_ns;
}
