/* SPDX-License-Identifier: MIT */
/* The results of a run that can be compared with those of another, from its JSON. */
#ifndef HPT_TOOLS_RESULTS_H
#define HPT_TOOLS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct result {
	char name[160];                 /* "hpt_now(tsc) throughput" */
	const char *unit;               /* "ps", "ns", "ppm" */
	int64_t value;
	bool has_band;
	double doubt;                   /* half of the width of the band, as a share of the value */
	bool is_yardstick;              /* not libhpt's: shows how fast the machine was */
};

struct results {
	json_t *root;
	const char *bench;              /* "read", "sleep", "wake", "report" */
	char *machine;                  /* the processor's brand; NULL: unknown */
	bool interrupted, disturbed;
	struct result *v;
	size_t n;
};

/*
 * Loads a file written by --json or --report. Returns 0, or, after a line on standard error, -EINVAL or the errno of
 * reading; then there is nothing to free.
 */
int results_load(const char *path, struct results *ret);

void results_free(struct results *f);

#endif
