/* SPDX-License-Identifier: MIT */
/* The cost of reads as tables, JSON and CSV. */
#ifndef HPT_TOOLS_READS_REPORT_H
#define HPT_TOOLS_READS_REPORT_H

#include <stdio.h>

#include "cli/doc.h"
#include "cli/out.h"

/* @reads: a struct reads with its summary. */
void reads_print(const void *reads, struct doc *doc);
json_t *reads_json(const void *reads);
void reads_csv(const void *reads, FILE *to);

/* Each single read as CSV. */
void reads_samples(const void *reads, FILE *to);

#endif
