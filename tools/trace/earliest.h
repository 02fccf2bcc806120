/* SPDX-License-Identifier: MIT */
/* Which of many files has the earliest event: a heap, so that a thousand files cost ten comparisons an event. */
#ifndef HPT_TOOLS_EARLIEST_H
#define HPT_TOOLS_EARLIEST_H

#include "trace/merge_input.h"

struct earliest {
	struct merge_input **inputs;    /* that have a next event; none is later than those at 2 i + 1 and 2 i + 2 */
	size_t n;
};

/* The inputs are filled; those without an event are left out. Free it by _free(). */
void earliest_init(struct earliest *e, struct merge_input *inputs, size_t n);
void earliest_free(struct earliest *e);

/* The input of the earliest event; of equal ones the first. NULL: none has more. */
static inline struct merge_input *earliest_input(const struct earliest *e)
{
	return e->n ? e->inputs[0] : NULL;
}

/* To be called when the input that earliest_input() returned has another next event, or none. */
void earliest_moved(struct earliest *e);

#endif
