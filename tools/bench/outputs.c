// SPDX-License-Identifier: MIT
/* Opens the plot and the percentile files before the measurement, and writes them after it: tools/bench/outputs.h. */
#include "bench/outputs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bench/engine.h"
#include "bench/hgrm.h"
#include "bench/request.h"
#include "cli/err.h"
#include "cli/file.h"
#include "cli/util.h"

/*
 * Makes a file name that needs no quotes in a shell: a run of other characters becomes one dash, and is dropped at the
 * end.
 */
static void make_safe(char *name)
{
	char *to = name;

	for (const char *from = name; *from; from++) {
		bool is_safe = isalnum((unsigned char)*from) || strchr("_.", *from);

		if (is_safe)
			*to++ = *from;
		else if (to > name && to[-1] != '-')
			*to++ = '-';
	}
	while (to > name && to[-1] == '-')
		to--;
	*to = '\0';
}

static bool open_series(struct hpt_file *f, const char *folder, struct hpt_series *series)
{
	char *path;
	bool is_open;

	free(series->own);
	make_safe(series->name);
	path = hpt_asprintf("%s/%s.hgrm", folder, series->name);
	is_open = hpt_file_open(f, path);
	free(path);
	return is_open;
}

static unsigned count_series(const struct hpt_engine *e, const void *data)
{
	struct hpt_series series;
	unsigned n = 0;

	for (; e->series(data, n, &series); n++)
		free(series.own);
	return n;
}

static bool open_all_series(struct hpt_outputs *f, const struct hpt_engine *e, const void *data, const char *folder)
{
	struct hpt_series series;

	if (!hpt_file_folder(folder))
		return false;
	f->series = hpt_calloc(count_series(e, data), sizeof(f->series[0]));
	for (; e->series(data, f->n_series, &series); f->n_series++)
		if (!open_series(&f->series[f->n_series], folder, &series))
			return false;
	return true;
}

bool hpt_outputs_open(struct hpt_outputs *f, const struct hpt_engine *e, const void *data, const struct hpt_request *r)
{
	*f = (struct hpt_outputs){ 0 };
	f->has_plot = r->plot && hpt_file_open(&f->plot, r->plot);
	if ((!r->plot || f->has_plot) && (!r->hgrm || open_all_series(f, e, data, r->hgrm)))
		return true;
	hpt_outputs_abandon(f);
	return false;
}

/* Returns the number of older files that stay. */
static unsigned keep_older(struct hpt_file *f, unsigned n)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < n; i++)
		if (f[i].replaces) {
			hpt_file_divert(&f[i]);
			kept++;
		}
	return kept;
}

static void keep_all_older(struct hpt_outputs *f)
{
	unsigned kept = keep_older(f->series, f->n_series) + (f->has_plot ? keep_older(&f->plot, 1) : 0);

	if (kept)
		hpt_err("interrupted: %u older file%s kept, and the new ones of these names end in .partial", kept,
			kept == 1 ? " is" : "s are");
}

static bool write_series(struct hpt_file *f, const struct hpt_series *series)
{
	if (!series->n) {
		hpt_file_abandon(f);
		return true;
	}
	hpt_hgrm_write(series->ps, series->n, f->to);
	return hpt_file_commit(f);
}

bool hpt_outputs_write(struct hpt_outputs *f, const struct hpt_engine *e, const void *data, bool is_whole)
{
	struct hpt_series series;
	bool is_well = true;

	if (!is_whole)
		keep_all_older(f);
	if (f->has_plot) {
		e->plot(data, HPT_PLOT_FILE, f->plot.to);
		is_well &= hpt_file_commit(&f->plot);
	}
	for (unsigned i = 0; i < f->n_series && e->series(data, i, &series); i++) {
		is_well &= write_series(&f->series[i], &series);
		free(series.own);
	}
	free(f->series);
	return is_well;
}

void hpt_outputs_abandon(struct hpt_outputs *f)
{
	if (f->has_plot)
		hpt_file_abandon(&f->plot);
	for (unsigned i = 0; i < f->n_series; i++)
		hpt_file_abandon(&f->series[i]);
	free(f->series);
	*f = (struct hpt_outputs){ 0 };
}
