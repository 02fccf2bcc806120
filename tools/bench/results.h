/* SPDX-License-Identifier: MIT */
/* The figures of a run that can be set against another run's, out of its JSON. */
#ifndef HPT_BENCH_RESULTS_H
#define HPT_BENCH_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct hpt_result {
	char name[160];                 /* "hpt_now(tsc) throughput" */
	const char *unit;               /* "ps", "ns", "ppm" */
	int64_t value;
	bool has_band;
	double doubt;                   /* half of the width of its band, as a share of it */
	bool is_yardstick;              /* none of ours: it tells how fast the machine was */
};

struct hpt_results {
	json_t *root;
	const char *bench;              /* "read", "sleep", "wake", "report" */
	char *machine;                  /* the processor's own name; NULL: not said */
	bool interrupted;
	struct hpt_result *v;
	size_t n;
};

/*
 * Of a file as --json or --report writes it. 0, or a negative errno: -EINVAL, or what reading it gave; said on standard
 * error, and nothing is to be given back.
 */
int hpt_results_load(const char *path, struct hpt_results *ret);

void hpt_results_free(struct hpt_results *f);

#endif
