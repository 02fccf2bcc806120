/* SPDX-License-Identifier: MIT */
/* The files that a bench is asked to write beside what goes to stdout: the figure, and percentiles by series. */
#ifndef HPT_BENCH_OUTPUTS_H
#define HPT_BENCH_OUTPUTS_H

#include "bench/engine.h"
#include "bench/file.h"
#include "bench/request.h"

struct hpt_outputs {
	bool has_plot;
	struct hpt_file plot;
	unsigned n_series;
	struct hpt_file *series;
};

/* Before measuring, so that what cannot be written is told at once. False: said on stderr, and nothing is left behind. */
bool hpt_outputs_open(struct hpt_outputs *f, const struct hpt_engine *e, const void *data, const struct hpt_request *r);

/* Writes all and puts them in place; series without samples get no file. False as above, for those that failed. */
bool hpt_outputs_write(struct hpt_outputs *f, const struct hpt_engine *e, const void *data);

void hpt_outputs_abandon(struct hpt_outputs *f);

#endif
