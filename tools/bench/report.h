/* SPDX-License-Identifier: MIT */
/* hpt bench --report: all three benches, as a page and as JSON. */
#ifndef HPT_TOOLS_REPORT_H
#define HPT_TOOLS_REPORT_H

#include "bench/request.h"

/* Returns the exit status. */
int run_report(const struct request *r);

#endif
