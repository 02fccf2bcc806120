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
	HPT_WALL_OPT_JSON = 'j', HPT_WALL_OPT_SOURCE = 's', HPT_WALL_OPT_COUNT = 'n', HPT_WALL_OPT_INTERVAL = 'i',
	HPT_WALL_OPT_WATCH = 'w', HPT_WALL_OPT_MAX_WIDTH = 256, HPT_WALL_OPT_PLOT, HPT_WALL_OPT_SOURCES,
	HPT_WALL_OPT_TRUST, HPT_WALL_OPT_CLOCKBOUND, HPT_WALL_OPT_VMCLOCK, HPT_WALL_OPT_PHC, HPT_WALL_OPT_PHC_ERROR,
	HPT_WALL_OPT_PHC_TIMESCALE, HPT_WALL_OPT_CHRONY, HPT_WALL_OPT_RATE, HPT_WALL_OPT_WANDER,
};

struct hpt_wall_request {
	bool json, is_watch, is_plot_only;
	uint32_t source;                /* of the clock; AUTO: the default clock */
	struct hpt_wall_config config;
	int64_t max_width_ns;           /* 0: any */
	int64_t interval_ns, count;     /* of a watch; count 0: without end */
	const char *plot;               /* NULL: none */
};

/* Returns HPT_ARGS_END if the command line is sound; else it is said on stderr. */
int hpt_wall_request_take(const struct hpt_cmd *cmd, int argc, char *argv[], struct hpt_wall_request *ret);

#endif
