/* SPDX-License-Identifier: MIT */
/* A form of text that events are read from, line by line. */
#ifndef HPT_TOOLS_READER_H
#define HPT_TOOLS_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/trace_event.h"

enum reader_result {
	READER_EVENT,
	READER_NOTHING,         /* a comment, or what belongs to the line before */
	READER_WALL,            /* what a wall stated at a tick */
	READER_LOST,            /* the tracer says that it lost events; event.stamp has how many */
	READER_WRONG,           /* not of this form */
};

struct reading {
	struct event event;             /* stamp, track, kind, name: the name lies in the line */
	int64_t earliest_ns, latest_ns; /* of a wall: UTC was in this interval at event.stamp */
	int64_t wall_generation;        /* 0: not written */
	bool is_ticks;                  /* the stamp is a whole number, not seconds */
};

struct reader {
	const char *name;               /* as in --from=NAME */
	bool needs_clock;               /* the text does not say which clock it is by */
	bool has_ticks;                 /* it may have ticks for times */
	bool whole_needs_clock;         /* it does not say which clock whole numbers are by */
	enum event_clock clock;         /* by which it is otherwise */
	/* The text has a NUL after its n bytes, and may be written to. */
	enum reader_result (*read)(char *text, size_t n, struct reading *ret);
};

extern const struct reader reader_lines, reader_perf, reader_ftrace, reader_lttng;

/* NULL: no form has this name. */
const struct reader *reader_find(const char *name);

/* EVENT_CLOCKS: no clock has this name. */
enum event_clock reader_clock(const char *name);

#endif
