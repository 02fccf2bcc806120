/* SPDX-License-Identifier: MIT */
/* Prints what "hpt run --stats" counted. */
#ifndef HPT_TOOLS_TALLY_REPORT_H
#define HPT_TOOLS_TALLY_REPORT_H

#include <stdio.h>

#include "preload/tally.h"

#include "run/watch.h"

/* @program: as it was called. */
void tally_print_table(const struct hpt_tally *t, const struct watched *w, const char *program, FILE *to);
void tally_print_json(const struct hpt_tally *t, const struct watched *w, const char *program, FILE *to);

#endif
