/* SPDX-License-Identifier: MIT */
/* The results of a run of sleeps, as JSON and as a table. */
#ifndef HPT_TOOLS_SLEEP_RUN_REPORT_H
#define HPT_TOOLS_SLEEP_RUN_REPORT_H

#include "sleep/sleep_run.h"

/* Both print on standard output. */
void sleep_run_print_json(const struct sleep_plan *plan, const struct sleep_run *sleeps);
void sleep_run_print_table(const struct sleep_plan *plan, const struct sleep_run *sleeps);

#endif
