/* SPDX-License-Identifier: MIT */
/* The cost and the lateness of ways to sleep, as tables, JSON and CSV. */
#ifndef HPT_TOOLS_FRONTIER_REPORT_H
#define HPT_TOOLS_FRONTIER_REPORT_H

#include <stdio.h>

#include <jansson.h>

#include "cli/doc.h"

/* @frontier: a struct frontier with its summary. */
void frontier_print(const void *frontier, struct doc *doc);
json_t *frontier_json(const void *frontier);
void frontier_csv(const void *frontier, FILE *to);

#endif
