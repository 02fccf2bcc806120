/* SPDX-License-Identifier: MIT */
/* Some events and their names, so that ticks are converted many at a time. */
#ifndef HPT_TOOLS_EVENT_BATCH_H
#define HPT_TOOLS_EVENT_BATCH_H

#include "trace/trace_event.h"
#include "trace/text_lines.h"
#include "trace/utf8.h"

#define BATCH_EVENTS 1024u

/* What a name may take. */
#define BATCH_NAME_BYTES (UTF8_GROWTH * LINES_MOST)

struct batch {
	size_t n, used;
	struct event events[BATCH_EVENTS];
	char names[4 * BATCH_NAME_BYTES];
};

static inline bool batch_is_full(const struct batch *b)
{
	return b->n == BATCH_EVENTS || b->used + BATCH_NAME_BYTES > sizeof(b->names);
}

/* Adds an event with its name as UTF-8; the batch must not be full, nor the name longer than a line. */
static inline void batch_add(struct batch *b, const struct event *e)
{
	struct event *to = &b->events[b->n++];

	*to = *e;
	to->name = b->names + b->used;
	to->name_length = utf8_copy(b->names + b->used, e->name, e->name_length);
	b->used += to->name_length;
}

#endif
