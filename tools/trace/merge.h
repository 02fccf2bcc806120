/* SPDX-License-Identifier: MIT */
/* hpt trace merge: the events of several files in the order of UTC, each with its bound. */
#ifndef HPT_TOOLS_MERGE_H
#define HPT_TOOLS_MERGE_H

#include "trace/encoder.h"

struct merge {
	const char *what;               /* the command's name */
	const struct encoder *to;
	const char *folder;             /* of perfetto and ctf; NULL: standard output */
	char **paths;
	size_t n;
	uint32_t rate_ppb;              /* how wrong the rates of the files' clocks may be */
};

/* Returns the exit status. */
int merge_run(const struct merge *job);

#endif
