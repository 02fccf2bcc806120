/* SPDX-License-Identifier: MIT */
/* hpt convert --to: a trace on standard input, in a format of another tool. */
#ifndef HPT_TOOLS_CONVERT_TRACE_H
#define HPT_TOOLS_CONVERT_TRACE_H

#include "trace/encoder.h"
#include "trace/reader.h"

struct convert_trace {
	const struct encoder *to;
	const struct reader *from;
	enum event_clock clock;         /* what the text's times are of */
	bool is_clock_named;            /* false: it is the form's own */
	const char *timebase;           /* a file of time bases, or NULL */
	const char *output;             /* a folder, where the format is one */
};

/* `what` is the command's name. Returns the exit status. */
int convert_trace(const char *what, const struct convert_trace *job);

#endif
