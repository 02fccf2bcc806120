/* SPDX-License-Identifier: MIT */
/* Which counter a benchmark was timed by, and what it is worth. */
#ifndef HPT_TOOLS_STOPWATCH_REPORT_H
#define HPT_TOOLS_STOPWATCH_REPORT_H

#include "cli/doc.h"
#include "cli/out.h"
#include "cli/stopwatch.h"

json_t *stopwatch_json(const struct stopwatch *w);

/* A line among those on how it was measured. */
void stopwatch_print(const struct stopwatch *w, struct doc *doc);

/* A line above the results, where the library refuses that counter. */
void stopwatch_warn(const struct stopwatch *w, struct doc *doc);

#endif
