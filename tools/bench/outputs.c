// SPDX-License-Identifier: MIT
/* Opens the plot and the percentile files before the measurement, and writes them after it: tools/bench/outputs.h. */
#include "bench/outputs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static bool open_series(struct file *f, const char *folder, struct series *series)
{
	char *path;
	bool is_open;

	free(series->own);
	make_safe(series->name);
	path = xasprintf("%s/%s.hgrm", folder, series->name);
	is_open = file_open(f, path);
	free(path);
	return is_open;
}

static unsigned count_series(const struct engine *e, const void *data)
{
	struct series series;
	unsigned n = 0;

	for (; e->series(data, n, &series); n++)
		free(series.own);
	return n;
}

static bool open_all_series(struct outputs *f, const struct engine *e, const void *data, const char *folder)
{
	struct series series;

	if (!file_folder(folder))
		return false;
	f->series = xcalloc(count_series(e, data), sizeof(f->series[0]));
	for (; e->series(data, f->n_series, &series); f->n_series++)
		if (!open_series(&f->series[f->n_series], folder, &series))
			return false;
	return true;
}

/* Opens a file that was requested, unless an earlier one failed. */
static bool opens(struct file *f, const char *path, bool *is_well)
{
	bool is_open = *is_well && path && file_open(f, path);

	*is_well &= is_open || !path;
	return is_open;
}

/* The file of --resume is there already, and would be replaced. */
static bool is_file(const struct file *f, const char *path)
{
	struct stat own, other;

	return f->to && f->temporary && stat(f->target, &own) == 0 && stat(path, &other) == 0 &&
	       own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

/* Two files of one name would replace each other; a pipe or a terminal takes both. */
static bool are_apart(const struct file *const *files, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (files[i]->to && files[j]->to && files[i]->temporary && files[j]->temporary &&
			    !strcmp(files[i]->target, files[j]->target)) {
				err_print("%s: two outputs cannot be one file", files[i]->path);
				return false;
			}
	return true;
}

static bool files_are_apart(const struct outputs *f, const char *resume)
{
	const struct file *const files[] = { &f->plot, &f->samples };

	if (!resume || (!is_file(&f->plot, resume) && !is_file(&f->samples, resume)))
		return are_apart(files, sizeof(files) / sizeof(files[0]));
	err_print("%s: two outputs cannot be one file", resume);
	return false;
}

bool outputs_open(struct outputs *f, const struct engine *e, const void *data, const struct request *r)
{
	bool is_well = true;

	*f = (struct outputs){ 0 };
	f->has_plot = opens(&f->plot, r->plot, &is_well);
	f->has_samples = opens(&f->samples, r->samples, &is_well);
	if (is_well && files_are_apart(f, r->resume) && (!r->hgrm || open_all_series(f, e, data, r->hgrm)))
		return true;
	outputs_abandon(f);
	return false;
}

/* Returns the number of older files that stay. */
static unsigned keep_older(struct file *f, unsigned n)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < n; i++)
		if (f[i].replaces) {
			file_divert(&f[i]);
			kept++;
		}
	return kept;
}

static void keep_all_older(struct outputs *f)
{
	unsigned kept = keep_older(f->series, f->n_series) + (f->has_plot ? keep_older(&f->plot, 1) : 0) +
			(f->has_samples ? keep_older(&f->samples, 1) : 0);

	if (kept)
		err_print("interrupted: %u older file%s kept, and the new ones of these names end in .partial", kept,
			kept == 1 ? " is" : "s are");
}

static bool write_series(struct file *f, const struct series *series)
{
	if (!series->n) {
		file_abandon(f);
		return true;
	}
	hgrm_write(series->ps, series->n, f->to);
	return file_commit(f);
}

bool outputs_write(struct outputs *f, const struct engine *e, const void *data, bool is_whole)
{
	struct series series;
	bool is_well = true;

	if (!is_whole)
		keep_all_older(f);
	if (f->has_plot) {
		e->plot(data, PLOT_FILE, f->plot.to);
		is_well &= file_commit(&f->plot);
	}
	if (f->has_samples) {
		e->samples(data, f->samples.to);
		is_well &= file_commit(&f->samples);
	}
	for (unsigned i = 0; i < f->n_series && e->series(data, i, &series); i++) {
		is_well &= write_series(&f->series[i], &series);
		free(series.own);
	}
	free(f->series);
	return is_well;
}

void outputs_abandon(struct outputs *f)
{
	if (f->has_plot)
		file_abandon(&f->plot);
	if (f->has_samples)
		file_abandon(&f->samples);
	for (unsigned i = 0; i < f->n_series; i++)
		file_abandon(&f->series[i]);
	free(f->series);
	*f = (struct outputs){ 0 };
}
