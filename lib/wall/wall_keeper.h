/* SPDX-License-Identifier: MIT */
/* How a wall's record is kept: looked at, added to, published. All functions keep errno. */
#ifndef HPT_WALL_KEEPER_H
#define HPT_WALL_KEEPER_H

#include "wall/wall_object.h"

/*
 * Copies the record that is right for now, and sets *ret_tick to a present value of its counter that it serves: after a
 * look at the system's clocks if the latest one is too old. 0; -EAGAIN: the record has no bound for now, or, rarely,
 * nothing can be said of it. Makes no system call but the clocks' own. Callable from signal handlers.
 */
int hpt_wall_present(struct hpt_wall *w, struct hpt_wall_record *ret, uint64_t *ret_tick);

/*
 * Looks at the system's clocks at once, whatever the record's span: so that an earlier event is noticed, and
 * later samples are not from before it. False: no look is possible now. Callable from signal handlers.
 */
bool hpt_wall_look(struct hpt_wall *w);

/* What the record knows of; all zeros, rarely, if nothing can be said. */
struct hpt_measured_events hpt_wall_events(const struct hpt_wall *w);

/*
 * Adds a sample, and notes the answer of its source. 0; as hpt_wall_record_add(); -EINVAL: the sample is of the future;
 * -EAGAIN: also if the clock's rate is not known now; -EBUSY: no record could be published. Rings no bell.
 * Callable from signal handlers.
 */
int hpt_wall_add(struct hpt_wall *w, const struct hpt_wall_reading *reading);

/* Notes what came of a question to a source: HPT_WALL_REASON_, and errno's value for a call that failed, or 0. */
void hpt_wall_note_answer(struct hpt_wall *w, uint32_t source, uint32_t reason, int error);

/* Notes that the reading's source answered that it has no bound. */
void hpt_wall_note_unsynced(struct hpt_wall *w, const struct hpt_wall_reading *reading);

/* The first tick of the clock, saturating, at which the latest sample is too old. One tick more is for rounding. */
int64_t hpt_wall_stale_tick(const struct hpt_wall *w, const struct hpt_wall_record *rec);

#endif
