/* SPDX-License-Identifier: MIT */
/* The conditions of a run that results may depend on: kernel, memory, load, options. */
#ifndef HPT_TOOLS_CONDITIONS_H
#define HPT_TOOLS_CONDITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>
#include <libsmartcols/libsmartcols.h>

#include "bench/request.h"

#define CONDITIONS_OPTIONS_MAX 19

struct condition_option {
	const char *name;               /* "rounds" */
	char number[32];                /* "=7"; "": it has none */
	const char *text;               /* after "=", in place of the number; it belongs to the request. NULL: none */
};

struct conditions {
	char kernel[200];               /* "Linux 6.18.1 x86_64"; "": unknown */
	char host[256];                 /* "": not requested, or unknown */
	unsigned cpus;                  /* that are in use on this machine; 0: unknown */
	int64_t memory_bytes;           /* of the machine; -1: unknown */
	bool has_load;
	int64_t load_ppm[3];            /* before the run: mean number of runnable threads over 1, 5 and 15 minutes */
	/* The options that decide on the measurement, as they can be written again: "--rounds=7". No file names. */
	struct condition_option options[CONDITIONS_OPTIONS_MAX];
	unsigned n_options;
};

/* Call it before the run, which is a load of its own. */
void conditions_get(const struct request *r, struct conditions *ret);

json_t *conditions_json(const struct conditions *c);

/* Label and value of each condition that is known. */
void conditions_table(struct libscols_table *tb, const struct conditions *c);

#endif
