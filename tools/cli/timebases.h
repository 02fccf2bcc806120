/* SPDX-License-Identifier: MIT */
/* A file of time bases, and which of them convert a tick: hpt_timebase(7). */
#ifndef HPT_TOOLS_TIMEBASES_H
#define HPT_TOOLS_TIMEBASES_H

#include <stdbool.h>
#include <stddef.h>

#include "hpt/hpt.h"
#include "math/timebase.h"

struct timebases {
	struct hpt_timebase        *bases;
	struct hpt_timebase_fields *fields; /* of each */
	size_t n;
	size_t *starts;                     /* the number of each generation's first time base, and n */
	size_t n_generations;
	bool is_cut;                        /* the file ends with a part of a time base, which was reported */
};

/* The two around a tick; second is NULL in a generation that has only one. */
struct timebases_pair {
	const struct hpt_timebase *first, *last;
	const struct hpt_timebase_fields *first_fields, *last_fields;
};

/*
 * Reads a file. False: it was reported on stderr, after `what`, the name of the command. So is a part of a time base at
 * its end, but what is before that is read. Free it by _free().
 */
bool timebases_read(const char *what, const char *path, struct timebases *ret);
void timebases_free(struct timebases *t);

/* False: the tick is in no generation of the file, or in two of which the second restarted the counter. */
bool timebases_find(const struct timebases *t, int64_t tick, struct timebases_pair *ret);

/* Appends a time base of the default clock to a file, which is created if needed. False: reported on stderr. */
bool timebases_append(const char *what, const char *path);

#endif
