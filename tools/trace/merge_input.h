/* SPDX-License-Identifier: MIT */
/* A file of hpt trace merge: its lines, the time bases beside it, and what its wall stated. */
#ifndef HPT_TOOLS_MERGE_INPUT_H
#define HPT_TOOLS_MERGE_INPUT_H

#include "cli/timebases.h"
#include "trace/trace_source.h"
#include "trace/walls.h"

struct merge_input {
	const char *path;
	char *name;                     /* the last part of path, as UTF-8 */
	char *bases_path;               /* FILE.timebase */
	int fd;
	struct timebases bases;
	struct placer placer;
	struct walls walls;
	struct source_fault stale;      /* of what walls stated */
	struct source *source;
	size_t at;                      /* the next event of the source's batch */
};

/*
 * The number is the process's of its events; rate_ppb is how wrong its clock's rate may be. False: reported on stderr
 * after `what`, and there is nothing to close.
 */
bool merge_input_open(struct merge_input *in, const char *what, const char *path, uint32_t number, uint32_t rate_ppb);
void merge_input_close(struct merge_input *in);

/* The next event; NULL: the batch has no more. */
static inline const struct event *merge_input_next(const struct merge_input *in)
{
	return in->at < in->source->batch.n ? &in->source->batch.events[in->at] : NULL;
}

/* Reads the next batch. False: the file has no more. */
static inline bool merge_input_fill(struct merge_input *in)
{
	in->at = 0;
	return source_fill(in->source);
}

#endif
