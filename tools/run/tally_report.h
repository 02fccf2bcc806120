/* SPDX-License-Identifier: MIT */
/* Prints what "hpt run --stats" counted. */
#ifndef HPT_TOOLS_TALLY_REPORT_H
#define HPT_TOOLS_TALLY_REPORT_H

#include <stdio.h>

#include "preload/tally.h"

#include "run/watch.h"

/* @program: as it was called. */
void hpt_tally_print_table(const struct hpt_tally *t, const struct hpt_watched *w, const char *program, FILE *to);
void hpt_tally_print_json(const struct hpt_tally *t, const struct hpt_watched *w, const char *program, FILE *to);

#endif
