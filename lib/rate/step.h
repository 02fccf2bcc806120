/* SPDX-License-Identifier: MIT */
/*
 * The step of a counter or a clock: by how much it moves at a time. For most counters it is 1 tick. It is 26 for the
 * TSC of some processors (every 10 ns), and 62 or 63 for a counter of 62.5 MHz that moves once in a microsecond. Pure
 * functions.
 */
#ifndef HPT_STEP_H
#define HPT_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "rate/sample.h"

/*
 * The smallest move must have been seen this often before it counts as a step, because a single move may be the many
 * steps of a preemption; and this often before all steps count as equal.
 */
#define HPT_STEP_TIMES       3
#define HPT_STEP_EQUAL_TIMES 16

/* What successive readings show; all zeros before the first. */
struct hpt_moves {
	uint64_t last;    /* the latest reading */
	uint32_t readings;
	bool     repeats; /* two readings were the same */
	uint64_t divisor; /* the greatest that all differences have in common; 0: it never moved */
	uint64_t least;   /* the smallest difference above 0; 0: it never moved */
	uint32_t times;   /* how often that difference was seen, or one more */
};

/* Adds the next reading of a clock. */
void hpt_moves_add(struct hpt_moves *moves, uint64_t reading);

/* Adds both reads of a counter in a bracket. The first may be the last one of the bracket before. */
void hpt_moves_add_bracket(struct hpt_moves *moves, const struct hpt_bracket *b);

/* Where readings repeat, a step lasts longer than a read, and the smallest move is one step. False: not seen yet. */
static inline bool hpt_moves_show_step(const struct hpt_moves *moves)
{
	return !moves->repeats || moves->times >= HPT_STEP_TIMES;
}

/* Each step is `size` long, or up to one unit longer. */
struct hpt_step {
	uint64_t size; /* 0: not known */
	uint64_t unit; /* 0: all steps are equal */
};

/*
 * A counter's step, by all its moves and two groups of brackets, HPT_STEP_BRACKETS at most. Where no read repeats only
 * the widths of undisturbed brackets count.
 */
struct hpt_step hpt_step_of_counter(const struct hpt_moves *moves, struct hpt_group old, struct hpt_group recent);
#define HPT_STEP_BRACKETS (HPT_ANCHOR_BRACKETS + HPT_RECENT_BRACKETS)

/* A clock's step, in ns. Where no reading repeats it is 1. */
struct hpt_step hpt_step_of_clock(const struct hpt_moves *moves);

/* A reading is less than this old: an unequal step is rounded down to units, and so is each reading. */
static inline uint64_t hpt_step_lag(struct hpt_step step)
{
	return step.size + 2 * step.unit;
}

#endif
