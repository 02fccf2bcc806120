/* SPDX-License-Identifier: MIT */
/* Updates a wall and states what it knows in ClockBound's shared memory, until a signal: "hpt wall --publish". */
#ifndef HPT_TOOLS_WALL_PUBLISH_H
#define HPT_TOOLS_WALL_PUBLISH_H

#include "wall/wall_request.h"

/* False: said on stderr. SIGINT, SIGTERM and SIGHUP end it: *ret_signal. */
bool wall_publish(const struct cmd *cmd, hpt_wall *w, const struct wall_request *r, int *ret_signal);

#endif
