/* SPDX-License-Identifier: MIT */
/*
 * latch.h - publish a small record to readers that never wait.
 *
 * The record lives in one of eight slots; `current` names the newest. Writers claim a slot that
 * is neither current nor being written, fill it, and swing `current` by compare-and-swap, so
 * no lock is held: a writer that is interrupted by a signal handler, preempted for ever or lost in a
 * fork costs its slot and stops nobody. A reader checks after reading that `current` is still
 * the same; the sequence in it tells a slot from its own later reuse.
 *
 * Slot contents are 64-bit words, read and written by the functions below (relaxed atomics, plain moves on
 * 64-bit machines), so that a reader overtaken by a writer reads stale words, never
 * undefined behaviour.
 */
#ifndef HPT_SEQLATCH_H
#define HPT_SEQLATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HPT_SEQLATCH_SLOTS 8u /* one current, seven writers at once; more find none and do not publish */

/* i386 aligns uint64_t to 4 bytes, which would make its loads and stores two. */
typedef uint64_t hpt_word __attribute__((aligned(8), may_alias));

struct hpt_seqlatch {
	_Atomic uint32_t current; /* sequence * 8 + slot of the newest record; 0 before the first */
	_Atomic uint32_t claimed; /* a bit a slot: being written */
	_Atomic uint32_t stamps[HPT_SEQLATCH_SLOTS]; /* what `current` is while this slot's record is the newest */
};

/* The record to read: its slot is *hpt_seqlatch_slot(). 0: nothing published yet. */
static inline uint32_t hpt_seqlatch_begin(const struct hpt_seqlatch *l)
{
	return atomic_load_explicit(&l->current, memory_order_acquire);
}

static inline uint32_t hpt_seqlatch_slot(uint32_t seen)
{
	return seen % HPT_SEQLATCH_SLOTS;
}

/* Was what was read since hpt_seqlatch_begin() one record? */
static inline bool hpt_seqlatch_same(const struct hpt_seqlatch *l, uint32_t seen)
{
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&l->current, memory_order_relaxed) == seen;
}

/*
 * For a reader that bets on one slot, so that its loads need not wait for `current`: the slot's stamp, to be loaded
 * before the words; the bet is won if hpt_seqlatch_same() says so behind them. Before the first record slot 0 alone may
 * be bet on: its words are zeros then, and stay so.
 */
static inline uint32_t hpt_seqlatch_stamp(const struct hpt_seqlatch *l, uint32_t slot)
{
	return atomic_load_explicit(&l->stamps[slot], memory_order_acquire);
}

static inline uint64_t hpt_word_load(const hpt_word *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/* A free slot, now ours to fill, or -1. */
int hpt_seqlatch_claim(struct hpt_seqlatch *l);

/*
 * Makes a claimed slot the current one if `current` is still what the writer started from, and gives the
 * claim back. False: another writer was first, and this record is dropped.
 */
bool hpt_seqlatch_publish(struct hpt_seqlatch *l, int slot, uint32_t seen);

/* Both halves for whole records of n words; slots is HPT_SEQLATCH_SLOTS records. */
bool hpt_seqlatch_write(struct hpt_seqlatch *l, hpt_word *slots, size_t n, const hpt_word *record, uint32_t seen);

/* Copies the current record; returns what hpt_seqlatch_begin() saw, 0 if there is none or writers kept overtaking. */
uint32_t hpt_seqlatch_read(const struct hpt_seqlatch *l, const hpt_word *slots, size_t n, hpt_word *ret);

#endif
