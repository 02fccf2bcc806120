/* SPDX-License-Identifier: MIT */
/*
 * A bound: two lines from ticks to UTC, of which one is never after and the other never before the truth. Pure
 * arithmetic; all rounding makes it wider.
 */
#ifndef HPT_BOUND_H
#define HPT_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "math/line.h"
#include "math/seqlatch.h"
#include "wall/band.h"

/* At `tick` UTC, as Unix time, is in [lo, hi]. Before and after it the interval widens by the band of rates. */
struct hpt_bound_lines {
	hpt_word tick;
	struct hpt_fixed lo, hi;
	struct hpt_band band;
};

/*
 * UTC `ticks` ticks after lines->tick. The counter shows a tick until its next step, so the moment of a reading may be
 * up to a step after the tick that it shows; the lines allow for that.
 */
struct hpt_utc hpt_bound_after(const struct hpt_bound_lines *lines, uint64_t ticks);

/* UTC `ticks` ticks before lines->tick. */
struct hpt_utc hpt_bound_before(const struct hpt_bound_lines *lines, uint64_t ticks);

/* The same at tick t; a tick 2^63 or more after lines->tick is one before it. */
struct hpt_utc hpt_bound_at(const struct hpt_bound_lines *lines, uint64_t t);

/* Moves lines->tick forward to a later tick. */
void hpt_bound_carry(struct hpt_bound_lines *lines, uint64_t tick);

/*
 * The lines by a statement that UTC was in `utc` at some moment from tick `before` to tick `after`, where the counter
 * moves by up to `step` ticks at a time.
 */
struct hpt_bound_lines hpt_bound_of(uint64_t before, uint64_t after, struct hpt_utc utc, uint64_t step,
				    const struct hpt_band *band);

/* Leaves in *lines what both have in common, at the later of the two ticks. False, and *lines is as before: nothing. */
bool hpt_bound_cut(struct hpt_bound_lines *lines, const struct hpt_bound_lines *with);

/* The line in the middle of both, as lines of their own: lo and hi are the same. */
struct hpt_bound_lines hpt_bound_middle(const struct hpt_bound_lines *lines);

/* The first tick, saturating, from which on UTC is surely after ns. */
uint64_t hpt_bound_tick_after(const struct hpt_bound_lines *lines, int64_t ns);

#endif
