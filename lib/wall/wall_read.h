/* SPDX-License-Identifier: MIT */
/* The read of a wall, for all that begins with one. */
#ifndef HPT_WALL_READ_H
#define HPT_WALL_READ_H

#include <stddef.h>

#include "arch/arch.h"
#include "source/own_read.h"
#include "wall/wall_object.h"

/* hpt_wall_now() without its checks of arguments and width. 0; -EAGAIN, and *ret is untouched. */
int hpt_wall_read(struct hpt_wall *w, struct hpt_wall_time *ret);

/* The interval as the clock showed tick, and the counter was in from to to. */
void hpt_wall_fill(struct hpt_wall_time *ret, const struct hpt_wall_record *rec, uint64_t from, uint64_t to,
		   uint64_t tick);

static inline bool hpt_wall_is_too_wide(const struct hpt_wall *w, const struct hpt_wall_time *t)
{
	return (uint64_t)t->latest_ns - (uint64_t)t->earliest_ns > w->max_width_ns;
}

/*
 * The record that was current when *ret_seen was loaded. The words that are loaded from it belong to one record only if
 * hpt_seqlatch_same() is true afterwards. Each word is loaded where it is needed: all at once they need more registers
 * than there are.
 */
static inline const hpt_word *hpt_wall_words(const struct hpt_wall *w, uint32_t *ret_seen)
{
	*ret_seen = hpt_seqlatch_begin(&w->latch);
	return (const hpt_word *)&w->records[hpt_seqlatch_slot(*ret_seen)];
}

#define HPT_WALL_LOAD(words, member) \
	hpt_word_load((words) + offsetof(struct hpt_wall_record, read.member) / sizeof(hpt_word))

static inline int64_t hpt_wall_earliest_ns(const hpt_word *words, uint64_t passed)
{
	return hpt_line_ns(passed, HPT_WALL_LOAD(words, bound.band.lo.whole), HPT_WALL_LOAD(words, bound.band.lo.frac),
			   HPT_WALL_LOAD(words, bound.lo.ns), HPT_WALL_LOAD(words, bound.lo.frac));
}

/* Rounded up: see hpt_bound_after(). */
static inline int64_t hpt_wall_latest_ns(const hpt_word *words, uint64_t passed)
{
	return hpt_line_ns(passed, HPT_WALL_LOAD(words, bound.band.hi.whole), HPT_WALL_LOAD(words, bound.band.hi.frac),
			   HPT_WALL_LOAD(words, bound.hi.ns), HPT_WALL_LOAD(words, bound.hi.frac)) + 1;
}

/* True for a wall that is read by hpt_wall_read() alone: by another counter, or with VMClock's page. */
static inline bool hpt_wall_is_special(const struct hpt_wall *w)
{
	return w->counts_raw || atomic_load_explicit(&w->vmclock, memory_order_relaxed);
}

#endif
