/* SPDX-License-Identifier: MIT */
/* Slices that have begun and not ended: a stack for each thread of each process. */
#ifndef HPT_TOOLS_SLICES_H
#define HPT_TOOLS_SLICES_H

#include "trace/trace_event.h"

#define SLICES_BUCKETS 1024u

struct slice {
	struct slice *next;
	uint64_t id, parent;            /* numbers from 1 on; parent 0: it is in no other slice */
	struct event begin;             /* with its name, and without its thread's */
	char name[];
};

struct slices {
	struct slice *buckets[SLICES_BUCKETS];
	uint64_t last_id;
};

void slices_begin(struct slices *s, const struct event *begin);

/* Takes out the innermost slice of the event's thread, which the caller frees. NULL: none has begun. */
struct slice *slices_end(struct slices *s, const struct event *end);

/* Takes out any slice that is left; NULL: none is. */
struct slice *slices_left(struct slices *s);

#endif
