/* SPDX-License-Identifier: MIT */
/*
 * A sleep's place among those of other threads, of this process or of all that share a crowd: whether it may spin while
 * they do, and what follows from how many there are. All functions are callable from signal handlers. Times are of
 * CLOCK_MONOTONIC.
 */
#ifndef HPT_PLACE_H
#define HPT_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "sleep/crowd.h"
#include "sleep/habits.h"

struct hpt_place {
	bool is_crowded;   /* other threads begin so many sleeps that spins of BALANCED are too long ... */
	bool is_many;      /* ... or that each wake of its own is one too many */
	uint32_t spinners; /* how many threads may spin at a time; HPT_CROWD_ANY: no limit */
};

/* The process's own. */
extern struct hpt_crowd hpt_crowd HIDDEN;

/* From now on its threads are of this crowd, which other processes share, for good. Call before any sleeps. */
void hpt_place_share(struct hpt_crowd *c);

/* A thread's in the process's own crowd. 0: it has no habits. */
static inline uint32_t hpt_place_name(const struct hpt_habits *h)
{
	return (uint32_t)((uintptr_t)h / _Alignof(struct hpt_habits));
}

/* False: no other thread sleeps. True: possibly. h: the thread's habits, or NULL. */
static inline bool hpt_place_is_beside(const struct hpt_habits *h)
{
	return unlikely(!hpt_crowd_is_only(&hpt_crowd, hpt_place_name(h)));
}

/* If that is true: begins a sleep. policy: HPT_SLEEP_. False: no other thread sleeps yet, so that it needs no place. */
bool hpt_place_begin(struct hpt_place *p, struct hpt_habits *h, uint32_t policy, int64_t now_ns);

/* Before the first wait of such a sleep, for all threads to know: one that is all spin needs a place alone. */
void hpt_place_count_wait(int64_t now_ns);

/* Takes the place in which to spin. False: there is none, or it is further away than HPT_CROWD_AHEAD_NS. */
bool hpt_place_take(const struct hpt_place *p, struct hpt_habits *h, int64_t now_ns, int64_t from_ns, int64_t to_ns);


#endif
