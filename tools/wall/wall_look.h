/* SPDX-License-Identifier: MIT */
/* What a wall knows at one moment: the facts of a statement. */
#ifndef HPT_TOOLS_WALL_LOOK_H
#define HPT_TOOLS_WALL_LOOK_H

#include "wall/wall_statement.h"

/* VMClock's marker. False: it cannot be read now. */
typedef bool wall_marker_fn(uint64_t *ret);

/*
 * read_marker: of a wall that watches VMClock, else NULL. All but is_last is set. Where all tries were of several
 * moments, the state is HPT_WALL_STATE_NONE.
 */
void wall_look(hpt_wall *w, wall_marker_fn *read_marker, struct wall_facts *ret);

#endif
