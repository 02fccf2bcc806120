/* SPDX-License-Identifier: MIT */
/* Sleeps beside a load as tables, JSON and CSV. */
#ifndef HPT_TOOLS_PACED_REPORT_H
#define HPT_TOOLS_PACED_REPORT_H

#include <stdio.h>

#include <jansson.h>

#include "cli/doc.h"

/* @paced: a struct paced with its summary. */
void paced_print(const void *paced, struct doc *doc);
json_t *paced_json(const void *paced);
void paced_csv(const void *paced, FILE *to);

#endif
