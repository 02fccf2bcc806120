/* SPDX-License-Identifier: MIT */
/* What the command line of hpt wall asks for. */
#ifndef HPT_TOOLS_WALL_REQUEST_H
#define HPT_TOOLS_WALL_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"
#include "hpt/wall.h"
#include "cli/cmd.h"

/* The letters of the options. */
enum {
	WALL_OPT_JSON = 'j', WALL_OPT_COUNT = 'n', WALL_OPT_INTERVAL = 'i',
	WALL_OPT_WATCH = 'w', WALL_OPT_MAX_WIDTH = 256, WALL_OPT_PLOT, WALL_OPT_SOURCES,
	WALL_OPT_TRUST, WALL_OPT_CLOCKBOUND, WALL_OPT_VMCLOCK, WALL_OPT_PHC, WALL_OPT_PHC_ERROR,
	WALL_OPT_PHC_TIMESCALE, WALL_OPT_CHRONY, WALL_OPT_REFCLOCK_ERROR, WALL_OPT_RATE, WALL_OPT_WANDER,
	WALL_OPT_PUBLISH, WALL_OPT_PUBLISH_VERSION, WALL_OPT_CHRONY_CONF,
};

struct wall_request {
	bool json, is_watch, is_plot_only;
	uint32_t source;                /* of the clock; AUTO: the default clock */
	struct hpt_wall_config config;
	const char *chrony_conf;        /* NULL: where chronyd looks by default */
	int64_t max_width_ns;           /* 0: any */
	int64_t interval_ns, count;     /* of a watch; count 0: without end. Of publishing the interval too */
	const char *plot;               /* NULL: none */
	const char *publish;            /* NULL: nowhere */
	int64_t publish_version;        /* of ClockBound's layout: 2 or 3 */
};

/* Returns ARGS_END if the command line is sound; else it is said on stderr. */
int wall_request_take(const struct cmd *cmd, int argc, char *argv[], struct wall_request *ret);

#endif
