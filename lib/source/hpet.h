/* SPDX-License-Identifier: MIT */
/* The HPET as a source, by /dev/hpet. */
#ifndef HPT_HPET_H
#define HPT_HPET_H

#include "source/source.h"

extern const struct hpt_source_ops hpt_source_hpet;

#endif
