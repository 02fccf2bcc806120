/* SPDX-License-Identifier: MIT */
/* What the command line of hpt wall asks for. */
#ifndef HPT_TOOLS_WALL_REQUEST_H
#define HPT_TOOLS_WALL_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"
#include "cli/cmd.h"

/* The letters of the options. */
enum {
	WALL_OPT_JSON = 'j', WALL_OPT_COUNT = 'n', WALL_OPT_INTERVAL = 'i',
	WALL_OPT_WATCH = 'w', WALL_OPT_MAX_WIDTH = 256, WALL_OPT_PLOT, WALL_OPT_SOURCES,
	WALL_OPT_TRUST, WALL_OPT_CLOCKBOUND, WALL_OPT_VMCLOCK, WALL_OPT_PHC, WALL_OPT_PHC_ERROR,
	WALL_OPT_PHC_TIMESCALE, WALL_OPT_CHRONY, WALL_OPT_RATE, WALL_OPT_WANDER,
};

struct wall_request {
	bool json, is_watch, is_plot_only;
	uint32_t source;                /* of the clock; AUTO: the default clock */
	struct hpt_wall_config config;
	int64_t max_width_ns;           /* 0: any */
	int64_t interval_ns, count;     /* of a watch; count 0: without end */
	const char *plot;               /* NULL: none */
};

/* Returns ARGS_END if the command line is sound; else it is said on stderr. */
int wall_request_take(const struct cmd *cmd, int argc, char *argv[], struct wall_request *ret);

#endif
