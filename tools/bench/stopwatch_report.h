/* SPDX-License-Identifier: MIT */
/* Which counter a benchmark was timed by, and what it is worth. */
#ifndef HPT_BENCH_STOPWATCH_REPORT_H
#define HPT_BENCH_STOPWATCH_REPORT_H

#include "cli/doc.h"
#include "cli/out.h"
#include "cli/stopwatch.h"

json_t *hpt_stopwatch_json(const struct hpt_stopwatch *w);

/* A line among those on how it was measured. */
void hpt_stopwatch_print(const struct hpt_stopwatch *w, struct hpt_doc *doc);

/* A line above the results, where the library refuses that counter. */
void hpt_stopwatch_warn(const struct hpt_stopwatch *w, struct hpt_doc *doc);

#endif
