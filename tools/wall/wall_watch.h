/* SPDX-License-Identifier: MIT */
/* Looks through a wall, one or one each interval, each printed as it is taken. */
#ifndef HPT_TOOLS_WALL_WATCH_H
#define HPT_TOOLS_WALL_WATCH_H

#include "wall/wall_request.h"

struct wall_watched {
	bool is_degraded;       /* a look had no bound, or a wider one than was asked for */
	int signal;             /* that ended the watch, or 0 */
};

/* False: said on stderr. SIGINT, SIGTERM and SIGHUP end a watch. */
bool wall_watch(const struct cmd *cmd, hpt_wall *w, const struct wall_request *r,
		    struct wall_watched *ret);

#endif
