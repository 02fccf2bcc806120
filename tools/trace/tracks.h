/* SPDX-License-Identifier: MIT */
/* Threads of a trace whose names a format has once, not with each event. */
#ifndef HPT_TOOLS_TRACKS_H
#define HPT_TOOLS_TRACKS_H

#include "trace/trace_event.h"

/* Those that are remembered: one that comes again later is described again, which is harmless. */
#define TRACKS_KNOWN 1024u

struct tracks {
	struct { uint64_t id, name; } known[TRACKS_KNOWN]; /* the name as a hash; id 0: none */
};

/* A thread's number: unique by process and thread, and not 0. */
static inline uint64_t tracks_id(const struct event *e)
{
	return ((uint64_t)e->process + 1) << 32 | e->track;
}

/* True: the event's thread is none of those that are remembered, or has another name now. It is remembered. */
bool tracks_is_new(struct tracks *t, const struct event *e);

#endif
