/* SPDX-License-Identifier: MIT */
/* A sweep as tables for people. */
#ifndef HPT_TOOLS_SWEEP_REPORT_H
#define HPT_TOOLS_SWEEP_REPORT_H

#include "cli/doc.h"

/* @sweep: a struct sweep with its summary. */
void sweep_print(const void *sweep, struct doc *doc);

#endif
