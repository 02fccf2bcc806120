/* SPDX-License-Identifier: MIT */
/* The counter of an architecture that is not x86, as a source. */
#ifndef HPT_ARCH_COUNTER_H
#define HPT_ARCH_COUNTER_H

#include "source/source.h"

extern const struct hpt_source_ops hpt_source_arch;

#endif
