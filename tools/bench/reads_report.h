/* SPDX-License-Identifier: MIT */
/* The cost of reads as tables, JSON and CSV. */
#ifndef HPT_BENCH_READS_REPORT_H
#define HPT_BENCH_READS_REPORT_H

#include <stdio.h>

#include "cli/doc.h"
#include "cli/out.h"

/* @reads: a struct hpt_reads with its summary. */
void hpt_reads_print(const void *reads, struct hpt_doc *doc);
json_t *hpt_reads_json(const void *reads);
void hpt_reads_csv(const void *reads, FILE *to);

#endif
