/* SPDX-License-Identifier: MIT */
/* The figures of a run that can be set against another run's, out of its JSON. */
#ifndef HPT_BENCH_FIGURES_H
#define HPT_BENCH_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct hpt_figure {
	char name[160];                 /* "hpt_now(tsc) throughput" */
	const char *unit;               /* "ps", "ns", "ppm" */
	int64_t value;
	bool has_band;
	double doubt;                   /* half of the width of its band, as a share of it */
	bool is_yardstick;              /* none of ours: it tells how fast the machine was */
};

struct hpt_figures {
	json_t *root;
	const char *bench;              /* "read", "sleep", "wake", "report" */
	char *machine;                  /* the processor's own name; NULL: not said */
	bool interrupted;
	struct hpt_figure *v;
	size_t n;
};

/*
 * Of a file as --json or --report writes it. 0, or a negative errno: -EINVAL, or what reading it gave; said on standard
 * error, and nothing is to be given back.
 */
int hpt_figures_load(const char *path, struct hpt_figures *ret);

void hpt_figures_free(struct hpt_figures *f);

#endif
