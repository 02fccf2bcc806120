/* SPDX-License-Identifier: MIT */
/* The files that a bench writes besides its output on stdout: plot, single samples, percentiles of each series. */
#ifndef HPT_TOOLS_OUTPUTS_H
#define HPT_TOOLS_OUTPUTS_H

#include "bench/engine.h"
#include "bench/request.h"
#include "cli/file.h"

struct outputs {
	bool has_plot, has_samples;
	struct file plot, samples;
	unsigned n_series;
	struct file *series;
};

/*
 * Opens all files before measuring, so that errors are reported at once. False: reported on stderr, and no file
 * remains.
 */
bool outputs_open(struct outputs *f, const struct engine *e, const void *data, const struct request *r);

/*
 * Writes all files and moves them into place; a series without samples gets no file. False: some failed, as above.
 * @is_whole false: no file replaces an older one, see file_divert().
 */
bool outputs_write(struct outputs *f, const struct engine *e, const void *data, bool is_whole);

void outputs_abandon(struct outputs *f);

#endif
