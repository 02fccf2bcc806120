/* SPDX-License-Identifier: MIT */
/* Gives events their times, by time bases. */
#ifndef HPT_TOOLS_PLACER_H
#define HPT_TOOLS_PLACER_H

#include "cli/timebases.h"
#include "trace/trace_event.h"

struct placer {
	enum event_clock stamps;        /* what the events' stamps count */
	enum event_clock clock;         /* what their ns will count: RAW or MONOTONIC for ticks, else the same */
	bool has_unix;
	struct timebases own;           /* as those given, by the stamps' clock in place of ticks */
	const struct timebases *bases;  /* those given, own, or NULL */
	struct timebases_pair pair;     /* the latest */
};

/*
 * bases NULL: there are none; ticks need some. False: time bases do not have this clock, BOOTTIME or TAI. Those given
 * stay the caller's. Free it by placer_free().
 */
bool placer_init(struct placer *p, enum event_clock stamps, const struct timebases *bases);
void placer_free(struct placer *p);

/* Sets ns, error_ns, is_placed, and the Unix time where the placer has one. */
void placer_place(struct placer *p, struct event *events, size_t n);

#endif
