/* SPDX-License-Identifier: MIT */
/* Wakes and tickers as tables, JSON and CSV. */
#ifndef HPT_BENCH_WAKES_REPORT_H
#define HPT_BENCH_WAKES_REPORT_H

#include <stdio.h>

#include "cli/doc.h"
#include "cli/out.h"

/* @wakes: a struct hpt_wakes with its summary. */
void hpt_wakes_print(const void *wakes, struct hpt_doc *doc);
json_t *hpt_wakes_json(const void *wakes);
void hpt_wakes_csv(const void *wakes, FILE *to);

#endif
