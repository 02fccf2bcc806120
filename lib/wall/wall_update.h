/* SPDX-License-Identifier: MIT */
/* The sources that an update asks. */
#ifndef HPT_WALL_UPDATE_H
#define HPT_WALL_UPDATE_H

#include "wall/wall_source.h"

/* NULL: FEED, or there is no such source. */
const struct hpt_wall_source_ops *hpt_wall_source_find(uint32_t source);

#endif
