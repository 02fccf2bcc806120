/* SPDX-License-Identifier: MIT */
/* A bench as the command sees it: read, sleep and wake each end in one constant table of this type. */
#ifndef HPT_TOOLS_ENGINE_H
#define HPT_TOOLS_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/request.h"
#include "bench/worker.h"
#include "cli/cmd.h"
#include "cli/doc.h"
#include "cli/out.h"
#include "cli/stopwatch.h"
#include "plot/svg.h"

/* Samples of one quantity of one row. */
struct series {
	char name[96];                  /* "hpt_now(tsc) throughput" */
	const int64_t *ps;
	size_t n;
	int64_t *own;                   /* free() it; NULL: the samples belong to the bench */
};

/* @data is the bench's struct, of @size bytes, zeroed before prepare(). */
struct engine {
	const char *name;               /* as in JSON */
	const char *what;               /* on the progress bar */
	size_t size;
	uint32_t rounds_max;
	/* Bytes that the samples of this request take, before anything is prepared; NULL: never many. */
	int64_t (*bytes)(const struct request *r);
	/* 0 or a negative errno; *ret_is_reported: it is on stderr already. */
	int (*prepare)(const struct request *r, void *data, bool *ret_is_reported);
	void (*measure)(void *data, struct worker *w);
	/* False: nothing whole was measured, so that there is nothing to print. */
	bool (*summarise)(void *data);
	void (*print)(const void *data, struct doc *doc);
	json_t *(*json)(const void *data);
	void (*csv)(const void *data, FILE *to);
	void (*plot)(const void *data, enum plot_form form, FILE *to);
	/* Single samples as CSV; NULL: there is no --samples. */
	void (*samples)(const void *data, FILE *to);
	/* Is all that was measured in the file of --resume? False after a line on stderr. NULL: it has none. */
	bool (*is_kept)(const void *data, const struct request *r);
	/* Series number @i, with samples after the bench has measured. False: there are no more series. */
	bool (*series)(const void *data, unsigned i, struct series *ret);
	/* What it is timed by, once it is prepared. */
	const struct stopwatch *(*watch)(const void *data);
	/* EXIT_DEGRADED and a line on stderr if the library broke a promise; NULL: it promises nothing. */
	int (*verdict)(const void *data, const struct cmd *cmd);
};

/* Zeroed, and valid until the process ends: a measuring thread that was abandoned still writes there. */
void *engine_new(size_t size);

/* The part of a default number of rounds, or of a time, that --short takes. */
int64_t engine_short(int64_t by_default);

/* Rounds to measure: as requested, or the default, or that of --short or --long. */
uint32_t engine_rounds(const struct request *r, uint32_t by_default, uint32_t by_long);

#endif
