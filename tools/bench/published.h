/* SPDX-License-Identifier: MIT */
/* The figures that the papers, the thesis and the project's page gave in 2012 and 2013. */
#ifndef HPT_BENCH_PUBLISHED_H
#define HPT_BENCH_PUBLISHED_H

#include "bench/doc.h"

void hpt_published_tell_reads(struct hpt_doc *doc);
void hpt_published_tell_sleeps(struct hpt_doc *doc);

#endif
