/* SPDX-License-Identifier: MIT */
/* A moment on a clock's timelines, by which a time is carried to the timeline of the next generation. */
#ifndef HPT_MOMENT_H
#define HPT_MOMENT_H

#include "clock/timekeeper.h"

struct hpt_moment {
	struct hpt_instant at; /* on hpt_now_ns()'s timeline */
	int64_t mono_ns;       /* CLOCK_MONOTONIC, read after it: a preemption between them makes times late */
	bool is_os;            /* the clock is the OS clock ... */
	bool is_torn;          /* ... and the two were never read close together */
};

void hpt_moment_take(struct hpt_clock *clk, struct hpt_moment *ret);

/*
 * Takes the present moment. If counter and CLOCK_MONOTONIC have diverged since `last`, samples the clocks before, so
 * that the generation is the one that this begins.
 */
void hpt_moment_after(struct hpt_clock *clk, const struct hpt_moment *last, struct hpt_moment *ret);

/* True if counter and CLOCK_MONOTONIC diverged between the two. */
bool hpt_moment_has_diverged(const struct hpt_moment *last, const struct hpt_moment *now);

/*
 * True if times have to be carried from last's timeline to now's: a generation has begun, or the OS clock diverged from
 * the kernel's CLOCK_MONOTONIC. The latter begins none: another object, as libfaketime, has replaced it by a clock that
 * stands still or runs at a rate of its own.
 */
bool hpt_moment_has_moved(const struct hpt_moment *last, const struct hpt_moment *now);

/*
 * A time on the timeline of last's generation becomes one on that of now's, by the clock that did not move: the counter
 * for HPT_STATE_REANCHORED, unless it restarted or is a replaced OS clock, else CLOCK_MONOTONIC. It comes
 * HPT_MOMENT_OPEN_NS later, since the new timeline begins at a bracket as wide as that, but no further away than it was
 * at `last`.
 */
#define HPT_MOMENT_OPEN_NS 100

int64_t hpt_moment_carried_ns(const struct hpt_moment *last, const struct hpt_moment *now, int64_t ns);

#endif
