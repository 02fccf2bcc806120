/* SPDX-License-Identifier: MIT */
/* The TSC of x86 as a source. */
#ifndef HPT_TSC_H
#define HPT_TSC_H

#include "source/source.h"

extern const struct hpt_source_ops hpt_source_tsc;

#endif
