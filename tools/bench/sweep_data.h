/* SPDX-License-Identifier: MIT */
/* A sweep as JSON and as CSV. */
#ifndef HPT_BENCH_SWEEP_DATA_H
#define HPT_BENCH_SWEEP_DATA_H

#include <stdio.h>

#include <jansson.h>

/* @sweep: a struct hpt_sweep with its summary. */
json_t *hpt_sweep_json(const void *sweep);
void hpt_sweep_csv(const void *sweep, FILE *to);

#endif
