// SPDX-License-Identifier: MIT
/* hpt sleep: sleeps until a deadline, and reports by how much each sleep missed it. */
#include "sleep/cmd_sleep.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hpt/hpt.h"

#include "cli/args.h"
#include "cli/cmd.h"
#include "cli/err.h"
#include "cli/format.h"
#include "cli/out.h"
#include "sleep/sleep_run.h"
#include "sleep/sleep_run_report.h"
#include "cli/take.h"

struct request {
	struct sleep_plan plan;
	bool json;
	uint32_t source;
	const char *interval, *until; /* as given, or NULL */
	const char *of_wall;          /* an option that means nothing without --wall; NULL: none is given */
	bool has_policy;
	uint32_t policy;
	int64_t max_spin_ns;
};

/* ---- The command line: false is said on stderr ------------------------------------------------------------------- */

enum {
	JSON = 'j', COUNT = 'n', INTERVAL = 'i', UNTIL = 'u', POLICY = 'p',
	MAX_SPIN = 256, STATS, WALL, MAX_ERROR, CHRONY,
};

static bool take_option(const struct cmd *cmd, int letter, struct request *r)
{
	switch (letter) {
	case COUNT:
		return take_integer(cmd, optarg, "number of sleeps", 1, INT64_MAX, &r->plan.count);
	case INTERVAL:
		r->interval = optarg;
		return take_duration(cmd, optarg, 1, TAKE_ANY, &r->plan.ns);
	case UNTIL:
		r->until = optarg;
		return take_time(cmd, optarg, &r->plan.ns);
	case WALL:
		return r->plan.by_wall = true;
	case MAX_ERROR:
		r->of_wall = "--max-error";
		return take_duration(cmd, optarg, 1, TAKE_ANY, &r->plan.max_error_ns);
	case CHRONY:
		r->of_wall = "--chrony";
		return take_address(cmd, optarg, r->plan.config.chrony_address,
				    sizeof(r->plan.config.chrony_address));
	case POLICY:
		r->has_policy = true;
		return take_policy(cmd, optarg, &r->policy);
	case MAX_SPIN:
		r->has_policy = true;
		return take_duration(cmd, optarg, 0, TAKE_ANY, &r->max_spin_ns);
	default:
		r->json |= letter == JSON;
		r->plan.is_measured = true;
		return true;
	}
}

/* Returns ARGS_END if all options are sound. */
static int take_options(const struct cmd *cmd, int argc, char *argv[], struct request *r)
{
	int c;

	while ((c = take_next(cmd, argc, argv, &r->source)) > 0)
		if (!take_option(cmd, c, r))
			return ARGS_WRONG;
	return c;
}

/* Takes the length of a sleep, which is given in one of three ways: as the operand or in one of two options. */
static bool take_length(const struct cmd *cmd, int argc, char *argv[], struct request *r)
{
	int given = (r->interval != NULL) + (r->until != NULL) + (optind < argc);

	if (!given && r->plan.by_wall) {
		args_usage(cmd, "--wall needs --until");
		return false;
	}
	if (given != 1) {
		args_usage(cmd, given ? "of DURATION, --interval and --until only one can be given" :
					    "a duration is missing");
		return false;
	}
	r->plan.kind = r->interval ? SLEEP_KIND_EVERY : r->until ? SLEEP_KIND_UNTIL : SLEEP_KIND_FOR;
	return r->plan.kind != SLEEP_KIND_FOR ||
	       take_seconds(cmd, argv[optind++], 0, TAKE_ANY, &r->plan.ns);
}

static bool is_sensible(const struct cmd *cmd, const struct request *r)
{
	const struct sleep_plan *plan = &r->plan;

	if ((plan->by_wall && plan->kind != SLEEP_KIND_UNTIL) || (r->of_wall && !plan->by_wall)) {
		err_print("%s: %s needs %s; see 'hpt help %s'", cmd->name, plan->by_wall ? "--wall" : r->of_wall,
			plan->by_wall ? "--until" : "--wall", cmd->name);
		return false;
	}
	if (plan->kind == SLEEP_KIND_UNTIL && plan->count > 1) {
		args_usage(cmd, "--until and --count exclude each other: a time is reached once");
		return false;
	}
	if (plan->is_measured && plan->count > SLEEP_RUN_MEASURED_MAX) {
		err_print("%s: the misses of %" PRId64 " sleeps take too much memory: %d can be measured at once",
			cmd->name, plan->count, SLEEP_RUN_MEASURED_MAX);
		return false;
	}
	return true;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static int report_refusal(const struct cmd *cmd, const struct sleep_run *sleeps)
{
	switch (-sleeps->wall_error) {
	case EAGAIN:
		err_print("%s: no source of this machine bounds UTC, or its bound was lost: see 'hpt wall'", cmd->name);
		return EXIT_DEGRADED;
	case ERANGE:
		err_print("%s: UTC is known to %s here, which is more than --max-error: see 'hpt wall'", cmd->name,
			format_span(sleeps->error_ns).s);
		return EXIT_DEGRADED;
	case ETIME:
		err_print("%s: the time was past by %s when the sleep ended, which is more than --max-error", cmd->name,
			format_span(sleeps->error_ns).s);
		return EXIT_DEGRADED;
	default:
		err_print("%s: no wall can be opened: %s", cmd->name, strerror(-sleeps->wall_error));
		return EXIT_FAILURE;
	}
}

static int report(const struct cmd *cmd, const struct request *r, const struct sleep_run *sleeps)
{
	if (sleeps->wall_error)
		return report_refusal(cmd, sleeps);
	if (r->plan.is_measured)
		(r->json ? sleep_run_print_json : sleep_run_print_table)(&r->plan, sleeps);
	if (sleeps->diverged)
		err_print("%s: the counter and the system's clock diverged during %" PRId64 " of %" PRId64 " sleeps "
			"(%s): see hpt_sleep(7)",
			cmd->name, sleeps->diverged, sleeps->done, hpt_state_name(sleeps->state));
	if (sleeps->signal)
		out_end_by(sleeps->signal);
	return sleeps->diverged ? EXIT_DEGRADED : EXIT_SUCCESS;
}

static int run_sleeps(const struct cmd *cmd, const struct request *r)
{
	struct sleep_run sleeps;
	int status;

	if (!take_default(cmd, r->source))
		return EXIT_FAILURE;
	if (r->has_policy)
		hpt_sleep_set_policy(r->policy, r->max_spin_ns);
	if (!sleep_run_all(&r->plan, &sleeps)) {
		err_print("%s: out of memory", cmd->name);
		return EXIT_FAILURE;
	}
	status = report(cmd, r, &sleeps);
	free(sleeps.miss_ns);
	return status;
}

static int run(const struct cmd *cmd, int argc, char *argv[])
{
	struct request request = { .plan.count = 1 };
	int r = take_options(cmd, argc, argv, &request);

	if (r != ARGS_END)
		return args_exit(r);
	if (!take_length(cmd, argc, argv, &request))
		return EXIT_USAGE;
	if (optind < argc)
		return args_surplus(cmd, argv);
	if (!is_sensible(cmd, &request))
		return EXIT_USAGE;
	return run_sleeps(cmd, &request);
}

static const struct opt opts[] = {
	{ "json", JSON, "as --stats, as one JSON object", NULL, KIND_NONE },
	OPT_SOURCE,
	{ "count", COUNT, "number of sleeps, one after the other; 1 if not given", "N", KIND_NUMBER },
	{ "interval", INTERVAL, "time from the deadline of one sleep to that of the next", "DURATION",
	  KIND_DURATION },
	{ "until", UNTIL, "sleep until this time of the system's clock", "TIME", KIND_TIME },
	{ "wall", WALL, "--until by UTC as 'hpt wall' knows it, not by the system's clock", NULL, KIND_NONE },
	{ "max-error", MAX_ERROR, "exit with 3 if UTC is not known so well, or the end is off by more", "DURATION",
	  KIND_DURATION },
	{ "chrony", CHRONY, "where chronyd answers; 127.0.0.1:323 if not given", "ADDRESS", KIND_FILE },
	{ "policy", POLICY, "balanced, frugal, strict, nospin, spin: CPU time against lateness", "NAME",
	  KIND_POLICY },
	{ "max-spin", MAX_SPIN, "limit on spinning (nospin: on ending early); 0: the policy's own", "DURATION",
	  KIND_DURATION },
	{ "stats", STATS, "report how late the sleeps ended, and their cost", NULL, KIND_NONE },
	{ 0 },
};

const struct cmd cmd_sleep = {
	.name = "sleep",
	.args = "DURATION | --interval=DURATION | --until=TIME",
	.operands = KIND_DURATION,
	.help = "sleep until a deadline, and report by how much it was missed",
	.details = "Sleeps on the default clock, or one on --source, never less than requested (with\n"
		   "--policy=nospin less by up to --max-spin). Prints nothing without --stats or\n"
		   "--json.\n\n"
		   "DURATION: 1.5s, 20ms, 300us, 40ns, and min, h, d: minutes, hours, days\n"
		   "          0.5   seconds, as sleep(1) has it; options need the unit\n"
		   "TIME:     2026-11-20T10:47:59.123456789Z, or with an offset such as +02:00\n"
		   "          @1795171679.123456789   seconds of Unix time\n\n"
		   "A DURATION counts from the beginning of each sleep. With --interval sleep number\n"
		   "k ends k intervals after the start, however late those before it were. A sleep\n"
		   "until a past time ends at once.\n\n"
		   "The miss is the time from the deadline of a sleep to the return of the call. A\n"
		   "measured run of several sleeps that is interrupted reports those until then. The\n"
		   "exit status is 3 if the counter jumped or stopped.\n\n"
		   "With --wall machines that sleep until one TIME end together, to the sum of their\n"
		   "errors, which --stats shows. The exit status is 3, and the sleep ends at once, if no\n"
		   "source bounds UTC, or to --max-error.",
	.opts = opts,
	.run = run,
};
