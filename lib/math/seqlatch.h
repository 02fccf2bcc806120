/* SPDX-License-Identifier: MIT */
/*
 * Publishes a small record to readers that never wait: a seqlock with several slots. Linux's seqcount_latch_t (two
 * slots, one writer) and FreeBSD's timehands are of the same kind; here writers are lock-free too.
 *
 * The record lives in one of eight slots; `current` names the newest. A writer claims a slot that is neither current
 * nor being written, fills it, and sets `current` by compare-and-swap. It holds no lock: a writer that is interrupted
 * by a signal handler, preempted for ever or lost in a fork blocks no other thread; only its slot stays claimed. A
 * claim names its process, so that a forked child can take over the slots of threads that it does not have. A reader
 * checks after reading that `current` is still the same.
 *
 * Each record has a value, sequence * 8 + slot, which differs when a slot is used again. `current` holds the newest
 * record's value, and stamps[] the value of the record in each slot. Readers and writers keep the value of `current`
 * that they started from as `seen`; a writer's record gets the next sequence.
 *
 * Slots consist of 64-bit words, read and written by the functions below (relaxed atomics, plain moves on 64-bit
 * machines). A reader that is overtaken by a writer thus reads words of different records, which its check finds; its
 * behaviour is never undefined.
 */
#ifndef HPT_SEQLATCH_H
#define HPT_SEQLATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef HPT_SEQLATCH_SLOTS /* tests/model has fewer */
#define HPT_SEQLATCH_SLOTS 8u /* one current, seven for writers; a writer that finds no free slot does not publish */
#endif

/* i386 aligns uint64_t to 4 bytes; a load or a store would then be two. */
typedef uint64_t hpt_word __attribute__((aligned(8), may_alias));

struct hpt_seqlatch {
	_Atomic uint32_t current;                    /* the newest record's value; 0 before the first */
	_Atomic uint32_t stamps[HPT_SEQLATCH_SLOTS]; /* the value of each slot's record */
	_Atomic uint32_t claims[HPT_SEQLATCH_SLOTS]; /* the process whose writer has claimed the slot; 0: free */
};

/* Begins a read. Returns `current`, whose slot is hpt_seqlatch_slot(); 0 if nothing is published yet. */
static inline uint32_t hpt_seqlatch_begin(const struct hpt_seqlatch *l)
{
	return atomic_load_explicit(&l->current, memory_order_acquire);
}

static inline uint32_t hpt_seqlatch_slot(uint32_t seen)
{
	return seen % HPT_SEQLATCH_SLOTS;
}

/* Ends a read. True if all words read since hpt_seqlatch_begin() are of one record. */
static inline bool hpt_seqlatch_same(const struct hpt_seqlatch *l, uint32_t seen)
{
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&l->current, memory_order_relaxed) == seen;
}

/*
 * The stamp of a slot. A reader may assume a slot, so that its loads need not wait for `current`. It loads the stamp
 * first, then the words, and then asks hpt_seqlatch_same(), which is false if the slot is not the current one. Before
 * the first record a reader may assume only slot 0: its words are zeros, and stay zeros until a record is published.
 */
static inline uint32_t hpt_seqlatch_stamp(const struct hpt_seqlatch *l, uint32_t slot)
{
	return atomic_load_explicit(&l->stamps[slot], memory_order_acquire);
}

static inline uint64_t hpt_word_load(const hpt_word *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/*
 * Claims a slot for the caller to fill: a free one, or one claimed by another process than `process`, which is not 0:
 * a forked child has copies of its parent's claims. Returns the slot, or -1 if all are claimed.
 */
int hpt_seqlatch_claim(struct hpt_seqlatch *l, uint32_t process);

/*
 * Makes a claimed slot the current one if `current` is still `seen`, the value that the writer started from. Releases
 * the claim in any case. False: another writer was first, and this record is dropped.
 */
bool hpt_seqlatch_publish(struct hpt_seqlatch *l, int slot, uint32_t seen);

/*
 * Claims, fills and publishes a record of n words; slots has room for HPT_SEQLATCH_SLOTS of them. If the record is
 * dropped: -EAGAIN, another writer was first; -EBUSY, no slot is free.
 */
int hpt_seqlatch_write(struct hpt_seqlatch *l, hpt_word *slots, size_t n, const hpt_word *record, uint32_t seen,
		       uint32_t process);

/*
 * Copies the current record and returns its sequence. Returns 0 before the first record, and where writers overtook all
 * of a bounded number of attempts.
 */
uint32_t hpt_seqlatch_read(const struct hpt_seqlatch *l, const hpt_word *slots, size_t n, hpt_word *ret);

/*
 * Copies the record with the value `seen`, which hpt_seqlatch_begin() returned, although later ones may be published:
 * writers use the slots in turn. False, and *ret has any content: its slot is used again, or `seen` is 0.
 */
bool hpt_seqlatch_read_old(const struct hpt_seqlatch *l, const hpt_word *slots, size_t n, uint32_t seen,
			   hpt_word *ret);

#endif
