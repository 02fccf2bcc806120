/* SPDX-License-Identifier: MIT */
/* The files that a bench writes besides its output on stdout: the plot, and the percentiles of each series. */
#ifndef HPT_BENCH_OUTPUTS_H
#define HPT_BENCH_OUTPUTS_H

#include "bench/engine.h"
#include "bench/request.h"
#include "cli/file.h"

struct hpt_outputs {
	bool has_plot;
	struct hpt_file plot;
	unsigned n_series;
	struct hpt_file *series;
};

/*
 * Opens all files before measuring, so that errors are reported at once. False: reported on stderr, and no file
 * remains.
 */
bool hpt_outputs_open(struct hpt_outputs *f, const struct hpt_engine *e, const void *data, const struct hpt_request *r);

/*
 * Writes all files and moves them into place; a series without samples gets no file. False: some failed, as above.
 * @is_whole false: no file replaces an older one, see hpt_file_divert().
 */
bool hpt_outputs_write(struct hpt_outputs *f, const struct hpt_engine *e, const void *data, bool is_whole);

void hpt_outputs_abandon(struct hpt_outputs *f);

#endif
