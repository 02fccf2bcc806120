/* SPDX-License-Identifier: MIT */
/* Prints what "hpt doctor" found. */
#ifndef HPT_TOOLS_DIAGNOSIS_REPORT_H
#define HPT_TOOLS_DIAGNOSIS_REPORT_H

#include <stdio.h>

#include "preload/diagnosis.h"

#include "run/watch.h"

/* @program: as it was called. */
void diagnosis_print(const struct hpt_diagnosis *d, const struct watched *w, const char *program, FILE *to);
void diagnosis_print_json(const struct hpt_diagnosis *d, const struct watched *w, const char *program, FILE *to);

#endif
