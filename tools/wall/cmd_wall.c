// SPDX-License-Identifier: MIT
/* hpt wall: an interval that contains UTC, and what each source of bounds gives, or why it gives nothing. */
#include "wall/cmd_wall.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "hpt/hpt.h"
#include "hpt/wall.h"

#include "cli/args.h"
#include "cli/cmd.h"
#include "cli/err.h"
#include "cli/out.h"
#include "cli/take.h"
#include "wall/wall_publish.h"
#include "wall/wall_request.h"
#include "wall/wall_watch.h"

static int watch(const struct cmd *cmd, const struct wall_request *request)
{
	struct wall_watched watched = { 0 };
	hpt_wall *w;
	bool is_well;
	int r = hpt_wall_open(NULL, &request->config, sizeof(request->config), 0, &w);

	if (r) {
		err_print("%s: no wall can be opened: %s", cmd->name, strerror(-r));
		return EXIT_FAILURE;
	}
	is_well = request->publish ? wall_publish(cmd, w, request, &watched.signal) :
				     wall_watch(cmd, w, request, &watched);
	hpt_wall_close(w);
	if (is_well && watched.signal)
		out_end_by(watched.signal);
	if (!is_well)
		return EXIT_FAILURE;
	return watched.is_degraded ? EXIT_DEGRADED : EXIT_SUCCESS;
}

static int run(const struct cmd *cmd, int argc, char *argv[])
{
	struct wall_request request;
	int r = wall_request_take(cmd, argc, argv, &request);

	if (r != ARGS_END)
		return args_exit(r);
	if (optind < argc)
		return args_surplus(cmd, argv);
	if (!take_default(cmd, request.source))
		return EXIT_FAILURE;
	return watch(cmd, &request);
}

static const struct opt opts[] = {
	{ "json", WALL_OPT_JSON, "one JSON object instead of tables; with --watch a line each", NULL,
	  KIND_NONE },
	OPT_SOURCE,
	{ "max-width", WALL_OPT_MAX_WIDTH, "exit with 3 if the interval is wider than this", "DURATION",
	  KIND_DURATION },
	{ "sources", WALL_OPT_SOURCES, "ask these, with commas between: clockbound, chrony, kernel, vmclock, phc, "
	  "fbclock; all but kernel and fbclock if not given", "LIST", KIND_BOUNDS },
	{ "trust", WALL_OPT_TRUST, "if sources contradict each other, these are right", "LIST", KIND_BOUNDS },
	{ "watch", WALL_OPT_WATCH, "look again and again: a line each", NULL, KIND_NONE },
	{ "interval", WALL_OPT_INTERVAL, "time from one look of --watch or --publish to the next; 1s if not given",
	  "DURATION", KIND_DURATION },
	{ "count", WALL_OPT_COUNT, "number of looks of --watch; without end if not given", "N", KIND_NUMBER },
	{ "plot", WALL_OPT_PLOT, "draw what --watch saw as SVG; '-': on standard output, and nothing else", "FILE",
	  KIND_FILE },
	{ "publish", WALL_OPT_PUBLISH, "write what the wall knows to this file, as ClockBound's daemon does, until a "
	  "signal", "FILE", KIND_FILE },
	{ "publish-version", WALL_OPT_PUBLISH_VERSION, "of ClockBound's layout: 3 goes by the counter, 2 by "
	  "CLOCK_REALTIME; 3 if not given", "N", KIND_NUMBER },
	{ "chrony", WALL_OPT_CHRONY, "where chronyd answers; 127.0.0.1:323 if not given", "ADDRESS",
	  KIND_FILE },
	{ "chrony-conf", WALL_OPT_CHRONY_CONF, "chronyd's configuration, for advice; /etc/chrony/chrony.conf or "
	  "/etc/chrony.conf if not given", "FILE", KIND_FILE },
	{ "refclock-error", WALL_OPT_REFCLOCK_ERROR, "how wrong chronyd's reference clocks may be", "DURATION",
	  KIND_DURATION },
	{ "clockbound", WALL_OPT_CLOCKBOUND, "the file of ClockBound's daemon", "FILE", KIND_FILE },
	{ "vmclock", WALL_OPT_VMCLOCK, "the device of VMClock; /dev/vmclock0 if not given", "FILE",
	  KIND_FILE },
	{ "phc", WALL_OPT_PHC, "a network card's clock; /dev/ptp0 if not given", "FILE", KIND_FILE },
	{ "phc-error", WALL_OPT_PHC_ERROR, "how wrong that clock may be", "DURATION", KIND_DURATION },
	{ "phc-timescale", WALL_OPT_PHC_TIMESCALE, "what that clock counts: utc or tai", "NAME",
	  KIND_TIMESCALE },
	{ "rate", WALL_OPT_RATE, "how wrong the counter's rate may be; 50ppm if not given", "RATE",
	  KIND_NUMBER },
	{ "wander", WALL_OPT_WANDER, "how far its rate may move from any average; 15ppm if not given", "RATE",
	  KIND_NUMBER },
	{ 0 },
};

const struct cmd cmd_wall = {
	.name = "wall",
	.args = "",
	.help = "an interval that contains UTC, and where its bounds come from",
	.details = "Asks each source of bounds of this machine once. Shows the interval that contains\n"
		   "UTC now, if what they state is true; how far the system's clock is off it; for each\n"
		   "source what it gives, or why it gives nothing and what can be done about that; and\n"
		   "which lines of chrony.conf would make chronyd's bounds better.\n\n"
		   "FILE and ADDRESS name where a source is; a RATE is a number such as 20ppm or 500ppb.\n"
		   "The kernel's bound and fbclock's are claims that may be wrong: these two sources are\n"
		   "asked only if --sources names them.\n\n"
		   "--publish FILE goes on until a signal and serves clients of ClockBound, which map\n"
		   "FILE. It asks chrony, vmclock and phc, if --sources does not say otherwise.\n\n"
		   "Exit status: 0 there is a bound; 3 there is none, or one wider than --max-width, or a\n"
		   "look of --watch was so. See hpt-wall(1).",
	.opts = opts,
	.run = run,
};
