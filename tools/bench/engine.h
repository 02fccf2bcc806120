/* SPDX-License-Identifier: MIT */
/* The three benches as the command sees them: all alike. */
#ifndef HPT_BENCH_ENGINE_H
#define HPT_BENCH_ENGINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/doc.h"
#include "bench/request.h"
#include "bench/worker.h"

/* Samples of one quantity of one row. */
struct hpt_series {
	char name[96];                  /* "hpt_now(tsc) throughput" */
	const int64_t *ps;
	size_t n;
	int64_t *own;                   /* free() it; NULL: the samples are the bench's */
};

/* @data is a struct hpt_reads, hpt_sweep, hpt_wakes. */
struct hpt_engine {
	const char *name;               /* as in JSON */
	const char *what;               /* on the bar */
	uint32_t rounds_max;
	/* How many bytes the samples of that take, before anything is prepared; 0: never many. */
	int64_t (*bytes)(const struct hpt_request *r);
	/* 0, or a negative errno that may have been told on stderr: *ret_is_reported. */
	int (*prepare)(const struct hpt_request *r, void *data, bool *ret_is_reported);
	void (*measure)(void *data, struct hpt_worker *w);
	/* False: there is nothing whole to tell of. */
	bool (*summarise)(void *data);
	void (*tell)(const void *data, struct hpt_doc *doc);
	json_t *(*json)(const void *data);
	void (*csv)(const void *data, FILE *to);
	void (*plot)(const void *data, FILE *to);
	/* Series number @i, whose samples are there when the bench has been measured. False: there are no more. */
	bool (*series)(const void *data, unsigned i, struct hpt_series *ret);
	/* HPT_EXIT_DEGRADED, and said on stderr, if something of ours did not keep what it promises; NULL: never. */
	int (*verdict)(const void *data, const struct hpt_cmd *cmd);
};

extern const struct hpt_engine hpt_engine_read, hpt_engine_sleep, hpt_engine_wake;

/* Zeroed, and there until the process ends: a measuring thread that was left alone still writes there. */
void *hpt_engine_new(void);

#endif
