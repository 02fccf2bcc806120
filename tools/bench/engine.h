/* SPDX-License-Identifier: MIT */
/* A bench as the command sees it: read, sleep and wake each end in one constant table of this type. */
#ifndef HPT_BENCH_ENGINE_H
#define HPT_BENCH_ENGINE_H

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
struct hpt_series {
	char name[96];                  /* "hpt_now(tsc) throughput" */
	const int64_t *ps;
	size_t n;
	int64_t *own;                   /* free() it; NULL: the samples belong to the bench */
};

/* @data is the bench's struct, of @size bytes, zeroed before prepare(). */
struct hpt_engine {
	const char *name;               /* as in JSON */
	const char *what;               /* on the progress bar */
	size_t size;
	uint32_t rounds_max;
	/* Bytes that the samples of this request take, before anything is prepared; NULL: never many. */
	int64_t (*bytes)(const struct hpt_request *r);
	/* 0 or a negative errno; *ret_is_reported: it is on stderr already. */
	int (*prepare)(const struct hpt_request *r, void *data, bool *ret_is_reported);
	void (*measure)(void *data, struct hpt_worker *w);
	/* False: nothing whole was measured, so that there is nothing to print. */
	bool (*summarise)(void *data);
	void (*print)(const void *data, struct hpt_doc *doc);
	json_t *(*json)(const void *data);
	void (*csv)(const void *data, FILE *to);
	void (*plot)(const void *data, enum hpt_plot_form form, FILE *to);
	/* Series number @i, with samples after the bench has measured. False: there are no more series. */
	bool (*series)(const void *data, unsigned i, struct hpt_series *ret);
	/* What it is timed by, once it is prepared. */
	const struct hpt_stopwatch *(*watch)(const void *data);
	/* HPT_EXIT_DEGRADED and a line on stderr if the library broke a promise; NULL: it promises nothing. */
	int (*verdict)(const void *data, const struct hpt_cmd *cmd);
};

/* Zeroed, and valid until the process ends: a measuring thread that was abandoned still writes there. */
void *hpt_engine_new(size_t size);

/* The part of a default number of rounds, or of a time, that --short takes. */
int64_t hpt_engine_short(int64_t by_default);

/* Rounds to measure: as requested, or the default, or that of --short or --long. */
uint32_t hpt_engine_rounds(const struct hpt_request *r, uint32_t by_default, uint32_t by_long);

#endif
