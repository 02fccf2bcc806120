/* SPDX-License-Identifier: MIT */
/* Where an encoder writes to: standard output, or a folder. */
#ifndef HPT_TOOLS_OUTPUT_H
#define HPT_TOOLS_OUTPUT_H

#include "trace/encoder.h"

struct output {
	const struct encoder *encoder;
	const char *what;               /* the command's name */
	const char *folder;             /* as the user wrote it; NULL: standard output */
	bool is_file;                   /* a file in that folder */
	int fd;                         /* of the folder, or of standard output */
	void *state;
	struct about about;
	struct sink sink;
};

/* Fills in about.id. about.processes stays the caller's. False: reported on stderr, and there is nothing to end. */
bool output_begin(struct output *o, const struct encoder *encoder, const struct about *about, const char *what,
		  const char *folder);

/* As that, into a file, of which `shown` names the folder in messages; the descriptor is closed at the end. */
bool output_begin_file(struct output *o, const struct encoder *encoder, const struct about *about, const char *what,
		       int fd, const char *shown);

static inline void output_put(struct output *o, const struct event *events, size_t n)
{
	o->encoder->put(o->state, events, n);
}

/* True: a write failed, and no more events are of use. */
static inline bool output_is_lost(const struct output *o)
{
	return o->sink.error != 0;
}

/* False: reported on stderr. */
bool output_end(struct output *o);

#endif
