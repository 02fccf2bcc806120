/* SPDX-License-Identifier: MIT */
/* Finds a driver in the table of this build. */
#ifndef HPT_FIND_H
#define HPT_FIND_H

#include "source/source.h"

/* The driver of an id, or NULL if this build has none. */
const struct hpt_source_ops *hpt_source_find(uint32_t id);

#endif
