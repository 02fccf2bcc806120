/* SPDX-License-Identifier: MIT */
/*
 * What a wall has learned of the counter's rate, by epochs. A false statement that nothing contradicts makes the band
 * of rates false, and such a band would keep the bound false for ever. So what is learned in an epoch is forgotten at
 * the end of the next one. Lines of their own begin with each epoch, because the bound's go back farther.
 */
#ifndef HPT_LEARNED_H
#define HPT_LEARNED_H

#include <stdbool.h>
#include <stdint.h>

#include "wall/bound.h"

/* An epoch is that long at least, and has new statements of that number: what the bound needs then is newer. */
#define HPT_LEARNED_EPOCH_NS (256 * INT64_C(1000000000))
#define HPT_LEARNED_EPOCH_NEW 8

/* Words, for a wall's record. */
struct hpt_learned {
	struct hpt_bound_lines lines;    /* by the statements of this epoch alone */
	struct hpt_bound_lines baseline; /* what the averages of the rate are measured from */
	struct hpt_band before;          /* of the epoch before */
	uint64_t begun;                  /* the tick at which the epoch began */
	uint64_t n_new;                  /* statements of something new since then */
	uint64_t widened;                /* the tick from which on the bound has its latest wider band */
};

/* By a first statement; its band is what is known of the rate. */
void hpt_learned_begin(struct hpt_learned *learned, const struct hpt_bound_lines *lines);

/*
 * Adds a statement, whose lines go by learned->lines.band. False: it contradicts those of this epoch, and *learned is
 * not to be used.
 */
bool hpt_learned_add(struct hpt_learned *learned, const struct hpt_bound_lines *lines, uint32_t wander_ppb);

/* Begins the next epoch with a statement, whose lines go by nothing that was learned. */
void hpt_learned_next(struct hpt_learned *learned, const struct hpt_bound_lines *lines);

/*
 * Gives the bound the band that was learned in this epoch and in the one before, within the nominal band. It is wider
 * by a millionth, so that an edge of the bound that is false moves out of the truth. Of a wider one the bound takes
 * that much at a time, from tick `now` on, and only if may_widen: 10 ms after the time before. Where a read of 10 ms
 * ago went by the narrower one, earliest falls by 10 ns at most, which is less than two threads need to compare.
 * False, and *bound is as before: these have nothing in common.
 */
bool hpt_learned_apply(struct hpt_learned *learned, const struct hpt_band *nominal, uint64_t now, bool may_widen,
		       struct hpt_bound_lines *bound);

#endif
