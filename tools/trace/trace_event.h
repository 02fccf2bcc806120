/* SPDX-License-Identifier: MIT */
/* An event of a trace, and the line that its time lies on. */
#ifndef HPT_TOOLS_TRACE_EVENT_H
#define HPT_TOOLS_TRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A moment, or an end of a slice. The slices of a track are nested. */
enum event_kind { EVENT_INSTANT, EVENT_BEGIN, EVENT_END };

/* What counts: a counter's ticks, or a clock of the kernel in nanoseconds. */
enum event_clock {
	EVENT_TICKS, EVENT_RAW, EVENT_MONOTONIC, EVENT_BOOTTIME, EVENT_REALTIME, EVENT_TAI, EVENT_CLOCKS,
};

/* An error that nobody states. */
#define EVENT_ERROR_UNKNOWN INT64_MAX

struct event {
	int64_t  stamp;                 /* as in the input: ticks, or nanoseconds of its clock */
	int64_t  ns;                    /* on the clock of the output */
	int64_t  error_ns;              /* how far ns may be off */
	int64_t  unix_ns;               /* where the output has Unix times */
	int64_t  unix_error_ns;
	uint32_t process, track;        /* which file it is of, and the thread or CPU */
	enum event_kind kind;
	uint64_t generation;            /* of the time bases, counted from 0 */
	bool     is_placed;             /* false: no time base is of its generation */
	const char *name;               /* not ended by a NUL */
	size_t   name_length;
	const char *thread;             /* the thread's name, as that; NULL: the trace does not say it */
	size_t   thread_length;
};

#endif
