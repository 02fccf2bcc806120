/* SPDX-License-Identifier: MIT */
/* The memory in which the programs under "hpt doctor" count. */
#ifndef HPT_TOOLS_DIAGNOSIS_FILE_H
#define HPT_TOOLS_DIAGNOSIS_FILE_H

#include "preload/diagnosis.h"

/* As tally_file_new(). A wait is late that ends later than late_ns. */
struct hpt_diagnosis *diagnosis_file_new(int64_t late_ns);

#endif
