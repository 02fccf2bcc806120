/* SPDX-License-Identifier: MIT */
/* Threads of a trace whose names a format has once, not with each event. */
#ifndef HPT_TOOLS_TRACKS_H
#define HPT_TOOLS_TRACKS_H

#include "trace/trace_event.h"

/* Threads whose numbers differ by a multiple of this have the same place, which is for two: a third displaces one. */
#define TRACKS_PLACES 1024u

struct track {
	uint64_t id, name;              /* the name as a hash; id 0: none */
};

/* Those that are remembered. One that was displaced is described again. */
struct tracks {
	struct track known[TRACKS_PLACES][2];
};

/* A thread's number: unique by process and thread, and not 0. */
static inline uint64_t tracks_id(const struct event *e)
{
	return ((uint64_t)e->process + 1) << 32 | e->track;
}

/* True: the event's thread was not remembered, or had another name. It is remembered from now on. */
bool tracks_is_new(struct tracks *t, const struct event *e);

#endif
