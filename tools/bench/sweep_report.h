/* SPDX-License-Identifier: MIT */
/* A sweep as tables for people. */
#ifndef HPT_BENCH_SWEEP_REPORT_H
#define HPT_BENCH_SWEEP_REPORT_H

#include "cli/doc.h"

/* @sweep: a struct hpt_sweep with its summary. */
void hpt_sweep_print(const void *sweep, struct hpt_doc *doc);

#endif
