// SPDX-License-Identifier: MIT
/* Finds the begin of a slice that ends: tools/trace/slices.h. */
#include "trace/slices.h"

#include <stdlib.h>
#include <string.h>

#include "cli/util.h"

static struct slice **bucket_of(struct slices *s, const struct event *e)
{
	return &s->buckets[(e->track ^ e->process * 31u) % SLICES_BUCKETS];
}

/* The place in its list of a thread's innermost slice, which is the one that was put there last. */
static struct slice **innermost(struct slices *s, const struct event *e)
{
	struct slice **at = bucket_of(s, e);

	while (*at && ((*at)->begin.track != e->track || (*at)->begin.process != e->process))
		at = &(*at)->next;
	return at;
}

static struct slice *take_out(struct slice **at)
{
	struct slice *it = *at;

	*at = it->next;
	return it;
}

void slices_begin(struct slices *s, const struct event *begin)
{
	struct slice *it = xneed(malloc(sizeof(*it) + begin->name_length)), *around = *innermost(s, begin);
	struct slice **bucket = bucket_of(s, begin);

	it->id = ++s->last_id;
	it->parent = around ? around->id : 0;
	it->begin = *begin;
	memcpy(it->name, begin->name, begin->name_length);
	it->begin.name = it->name;
	it->begin.thread = NULL; /* no copy of it is kept */
	it->begin.thread_length = 0;
	it->next = *bucket;
	*bucket = it;
}

struct slice *slices_end(struct slices *s, const struct event *end)
{
	struct slice **at = innermost(s, end);

	return *at ? take_out(at) : NULL;
}

struct slice *slices_left(struct slices *s)
{
	for (size_t i = 0; i < SLICES_BUCKETS; i++)
		if (s->buckets[i])
			return take_out(&s->buckets[i]);
	return NULL;
}
