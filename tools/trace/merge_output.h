/* SPDX-License-Identifier: MIT */
/* Where merged events go: one trace, or for Perfetto a folder of one for each file, and a manifest. */
#ifndef HPT_TOOLS_MERGE_OUTPUT_H
#define HPT_TOOLS_MERGE_OUTPUT_H

#include "trace/merge_input.h"
#include "trace/output.h"

struct merge_output {
	struct output *outputs;         /* of each file, or one of all */
	size_t n;
	const struct encoder *to;
	const char *what, *folder;
	const struct merge_input *inputs;
	size_t n_inputs;
	const char **names;             /* of the files */
	int fd;                         /* of Perfetto's folder, or -1 */
};

/*
 * Takes to, what (the command's name), folder, inputs and n_inputs of *out; the rest is 0. False: reported on stderr,
 * and there is nothing to end.
 */
bool merge_output_begin(struct merge_output *out);
void merge_output_put(struct merge_output *out, const struct event *events, size_t n);
bool merge_output_is_lost(const struct merge_output *out);

/* False: reported on stderr. */
bool merge_output_end(struct merge_output *out);

#endif
