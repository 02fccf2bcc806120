/* SPDX-License-Identifier: MIT */
/* Some events and their names, so that ticks are converted many at a time. */
#ifndef HPT_TOOLS_EVENT_BATCH_H
#define HPT_TOOLS_EVENT_BATCH_H

#include "trace/trace_event.h"
#include "trace/text_lines.h"
#include "trace/utf8.h"

#define BATCH_EVENTS 1024u

/* What the names of an event may take, which stand in one line. */
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

/* Adds text as UTF-8. Returns where it is. */
static inline const char *batch_add_text(struct batch *b, const char *text, size_t *n)
{
	char *to = b->names + b->used;

	*n = utf8_copy(to, text, *n);
	b->used += *n;
	return to;
}

/* Adds an event with its names as UTF-8; the batch must not be full, nor the names longer than a line. */
static inline void batch_add(struct batch *b, const struct event *e)
{
	struct event *to = &b->events[b->n++];

	*to = *e;
	to->name = batch_add_text(b, e->name, &to->name_length);
	if (e->thread)
		to->thread = batch_add_text(b, e->thread, &to->thread_length);
}

#endif
