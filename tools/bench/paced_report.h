/* SPDX-License-Identifier: MIT */
/* Sleeps beside a load as tables, JSON and CSV. */
#ifndef HPT_BENCH_PACED_REPORT_H
#define HPT_BENCH_PACED_REPORT_H

#include <stdio.h>

#include <jansson.h>

#include "cli/doc.h"

/* @paced: a struct hpt_paced with its summary. */
void hpt_paced_print(const void *paced, struct hpt_doc *doc);
json_t *hpt_paced_json(const void *paced);
void hpt_paced_csv(const void *paced, FILE *to);

#endif
