/* SPDX-License-Identifier: MIT */
/* A format that other tools read, as functions that events are put into. */
#ifndef HPT_TOOLS_ENCODER_H
#define HPT_TOOLS_ENCODER_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/trace_event.h"
#include "trace/sink.h"

/* What a whole trace has in common. */
struct about {
	enum event_clock clock;         /* that of event.ns: RAW ... TAI */
	bool has_unix;                  /* events have Unix times */
	bool has_stamp;                 /* event.stamp counts ticks, which the trace shall have too */
	bool is_viewers_line;           /* the viewer's own line is event.ns's: no clock has to be converted to it */
	int64_t first_ns, first_unix_ns; /* a moment on both lines, if has_unix */
	size_t n_processes;
	const char *const *processes;   /* their names, UTF-8 */
	uint8_t id[16];                 /* of the trace, at random */
};

struct encoder {
	const char *name;               /* as in --to=NAME */
	bool needs_unix;                /* the format has Unix times alone */
	bool needs_folder;              /* it is a folder of files */
	bool lacks_tai;                 /* it has no name for CLOCK_TAI */
	/* In a folder @folder is its descriptor, else sink is where the bytes go. NULL with errno: not begun. */
	void *(*begin)(const struct about *about, struct sink *sink, int folder);
	/* Takes events that are placed; they and their names last until the return. */
	void (*put)(void *state, const struct event *events, size_t n);
	/* Ends the trace and frees the state. Returns an errno, or 0; where there is no folder the sink has it. */
	int (*end)(void *state);
};

extern const struct encoder encoder_perfetto, encoder_chrome, encoder_ctf, encoder_otlp;

/* NULL: no format has this name. */
const struct encoder *encoder_find(const char *name);

/* As POSIX and Perfetto call the clock, without CLOCK_: "MONOTONIC_RAW". */
const char *encoder_clock_name(enum event_clock clock);

#endif
