/* SPDX-License-Identifier: MIT */
/* A sweep as JSON and as CSV. */
#ifndef HPT_TOOLS_SWEEP_DATA_H
#define HPT_TOOLS_SWEEP_DATA_H

#include <stdio.h>

#include <jansson.h>

/* @sweep: a struct sweep with its summary. */
json_t *sweep_json(const void *sweep);
void sweep_csv(const void *sweep, FILE *to);

/* Each single sleep as CSV. */
void sweep_samples(const void *sweep, FILE *to);

#endif
