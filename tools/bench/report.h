/* SPDX-License-Identifier: MIT */
/* hpt bench --report: all three benches, as a page and as JSON. */
#ifndef HPT_BENCH_REPORT_H
#define HPT_BENCH_REPORT_H

#include "bench/request.h"

/* Returns the exit status. */
int hpt_run_report(const struct hpt_request *r);

#endif
