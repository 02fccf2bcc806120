/* SPDX-License-Identifier: MIT */
/* What a wall's next record is made of: the system's clocks, and what its own clock knows of itself. */
#ifndef HPT_WALL_RULES_H
#define HPT_WALL_RULES_H

#include "wall/wall_object.h"

/* The rules for the next record. False: the clock's rate is not known now. */
bool hpt_wall_rules_make(const struct hpt_wall *w, struct hpt_wall_rules *ret);

/* Reads the system's clocks and VMClock's page. False: the page is being updated, for too long. */
bool hpt_wall_look_take(const struct hpt_wall *w, struct hpt_wall_look *ret);

#endif
