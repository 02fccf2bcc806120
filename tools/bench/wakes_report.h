/* SPDX-License-Identifier: MIT */
/* Wakes and tickers as tables, JSON and CSV. */
#ifndef HPT_TOOLS_WAKES_REPORT_H
#define HPT_TOOLS_WAKES_REPORT_H

#include <stdio.h>

#include "cli/doc.h"
#include "cli/out.h"

/* @wakes: a struct wakes with its summary. */
void wakes_print(const void *wakes, struct doc *doc);
json_t *wakes_json(const void *wakes);
void wakes_csv(const void *wakes, FILE *to);

#endif
