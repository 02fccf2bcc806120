/* SPDX-License-Identifier: MIT */
/* The drivers of this build: the one list of them, so that an object with another list has no other driver in it. */
#ifndef HPT_DRIVERS_H
#define HPT_DRIVERS_H

#include "arch/arch.h"
#include "source/source.h"

extern const struct hpt_source_ops *const hpt_drivers[HPT_SOURCE_IDS] HIDDEN; /* NULL after the last one */

#endif
