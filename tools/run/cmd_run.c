// SPDX-License-Identifier: MIT
/* hpt run: runs a program whose sleeps and waits end on time, by an object that is loaded into it. */
#include "run/cmd_run.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "preload/tally.h"
#include "preload/words.h"

#include "cli/args.h"
#include "cli/cmd.h"
#include "cli/err.h"
#include "cli/take.h"
#include "cli/util.h"
#include "run/explain.h"
#include "run/launch.h"
#include "run/reported.h"
#include "run/tally_file.h"
#include "run/tally_report.h"
#include "run/watch.h"

struct request {
	struct launch launch;
	bool has_stats, is_json, has_low_latency;
	const char *file;       /* of the report; NULL: standard error */
};

/* ---- The command line: false is said on stderr ------------------------------------------------------------------- */

enum { JSON = 'j', POLICY = 'p', MAX_SPIN = 256, LEAST, BUDGET, SLACK, NO_PRELOAD, STRICT, STATS, LOW_LATENCY, SLICE,
       EXPLAIN, WAITS, EXCLUDE,
       COARSE };

/* With or without a per cent sign. */
static bool take_budget(const struct cmd *cmd, struct request *r)
{
	size_t n = strlen(optarg);
	char *number = n > 1 && optarg[n - 1] == '%' ? xasprintf("%.*s", (int)(n - 1), optarg) : NULL;
	bool is_taken = take_integer(cmd, number ? number : optarg, "percentage", 0, 100, &r->launch.budget_percent);

	free(number);
	return is_taken;
}

static bool take_slack(const struct cmd *cmd, struct request *r)
{
	if (strcmp(optarg, "keep") != 0)
		return take_duration(cmd, optarg, 1, TAKE_ANY, &r->launch.slack_ns);
	r->launch.slack_ns = 0;
	return true;
}

/* Without a name: all. */
static bool take_waits(const struct cmd *cmd, struct request *r)
{
	static const char *const names[HPT_RUN_WAITS_KINDS] = {
		[HPT_RUN_WAITS_NONE] = "none", [HPT_RUN_WAITS_ALL] = "all", [HPT_RUN_WAITS_MS] = "ms",
	};

	r->launch.waits = HPT_RUN_WAITS_ALL;
	for (enum hpt_run_waits i = 0; optarg && i < HPT_RUN_WAITS_KINDS; i++)
		if (!strcmp(optarg, names[i])) {
			r->launch.waits = i;
			return true;
		}
	if (optarg)
		args_usage(cmd, "--waits is all, ms or none");
	return !optarg;
}

static bool take_coarse(const struct cmd *cmd, struct request *r)
{
	r->launch.has_fine_coarse = !strcmp(optarg, "fine");
	if (r->launch.has_fine_coarse || !strcmp(optarg, "keep"))
		return true;
	args_usage(cmd, "--coarse is fine or keep");
	return false;
}

/* Names follow each other. An outer "hpt run" has given others. */
static bool take_exclude(const struct cmd *cmd, struct request *r)
{
	char *before = r->launch.exclude;

	if (!*optarg || strpbrk(optarg, "/:")) {
		args_usage(cmd, "--exclude is the name of a program, without a path");
		return false;
	}
	r->launch.exclude = before ? xasprintf("%s:%s", before, optarg) : xasprintf("%s", optarg);
	free(before);
	return true;
}

static void take_flag(int letter, struct request *r)
{
	r->is_json |= letter == JSON;
	r->launch.is_strict |= letter == STRICT;
	r->launch.is_explained |= letter == EXPLAIN;
	r->launch.has_slice |= letter == SLICE;
	r->has_low_latency |= letter == LOW_LATENCY;
	if (letter == NO_PRELOAD)
		r->launch.is_loaded = false;
	if (letter != STATS)
		return;
	r->has_stats = true;
	r->file = optarg;
}

static bool take_option(const struct cmd *cmd, int letter, struct request *r)
{
	switch (letter) {
	case POLICY:
		return take_policy(cmd, optarg, &r->launch.policy);
	case MAX_SPIN:
		return take_duration(cmd, optarg, 0, TAKE_ANY, &r->launch.max_spin_ns);
	case LEAST:
		return take_duration(cmd, optarg, 0, TAKE_ANY, &r->launch.least_ns);
	case BUDGET:
		return take_budget(cmd, r);
	case SLACK:
		return take_slack(cmd, r);
	case COARSE:
		return take_coarse(cmd, r);
	case EXCLUDE:
		return take_exclude(cmd, r);
	case WAITS:
		return take_waits(cmd, r);
	default:
		take_flag(letter, r);
		return true;
	}
}

/* Returns ARGS_END if the command line is sound. */
static int take_options(const struct cmd *cmd, int argc, char *argv[], struct request *r)
{
	int c;

	while ((c = args_next(cmd, argc, argv)) > 0)
		if (!take_option(cmd, c, r))
			return ARGS_WRONG;
	if (c != ARGS_END)
		return c;
	if (r->is_json && !r->has_stats)
		return args_usage(cmd, "--json needs --stats"), ARGS_WRONG;
	if (r->file && !*r->file)
		return args_usage(cmd, "--stats= has an empty name of a file"), ARGS_WRONG;
	if (optind == argc)
		return args_usage(cmd, "a command is missing"), ARGS_WRONG;
	return ARGS_END;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

/* Kept until this process ends. */
static bool open_low_latency(const struct cmd *cmd)
{
	int fd = hpt_low_latency_open(0);

	if (fd < 0)
		reported_fail(cmd, "CPUs cannot be kept out of deep idle states: /dev/cpu_dma_latency", -fd);
	return fd >= 0;
}

static void print_counts(const void *counts, const struct watched *w, const char *program, FILE *to)
{
	tally_print_table(counts, w, program, to);
}

static void print_counts_json(const void *counts, const struct watched *w, const char *program, FILE *to)
{
	tally_print_json(counts, w, program, to);
}

static int watch(const struct cmd *cmd, const struct request *r, char *argv[])
{
	struct reported held = { .print = r->is_json ? print_counts_json : print_counts };

	if (r->has_stats && (!reported_open(cmd, r->file, &held) || !reported_hold(cmd, tally_file_new(), &held)))
		return EXIT_OWN;
	if (r->has_low_latency && !open_low_latency(cmd))
		return EXIT_OWN;
	return reported_run(cmd, argv, &held);
}

/* False: the program must not run. */
static bool prepare(const struct launch *l, const char *program)
{
	struct launched done;
	bool may_run = launch_prepare(l, program, &done);

	if (l->is_explained)
		explain_print(l, &done, program, stderr);
	launched_clear(&done);
	return may_run;
}

static int run(const struct cmd *cmd, int argc, char *argv[])
{
	struct request request = {
		.launch = { .name = cmd->name, .policy = HPT_SLEEP_BALANCED, .least_ns = HPT_RUN_LEAST_NS,
			    .budget_percent = HPT_RUN_BUDGET, .waits = HPT_RUN_WAITS, .slack_ns = 1,
			    .is_loaded = true },
	};
	int r = take_options(cmd, argc, argv, &request);

	if (r != ARGS_END)
		return r == ARGS_HELP ? EXIT_SUCCESS : EXIT_OWN;
	argv += optind;
	if (!prepare(&request.launch, argv[0]))
		return EXIT_NOT_RUN;
	if (request.has_stats || request.has_low_latency)
		return watch(cmd, &request, argv);
	return reported_exec_refused(cmd, argv[0], launch_exec(argv));
}

static const struct opt opts[] = {
	{ "policy", POLICY, "balanced, frugal, strict, nospin, spin: CPU time against lateness", "NAME",
	  KIND_POLICY },
	{ "max-spin", MAX_SPIN, "limit on a sleep's spin; 0: the policy's own", "DURATION", KIND_DURATION },
	{ "least", LEAST, "leave shorter sleeps as they are; 50us if not given", "DURATION",
	  KIND_DURATION },
	{ "budget", BUDGET, "the share of its time that a thread may spin; 25% if not given", "PERCENT",
	  KIND_NUMBER },
	{ "slack", SLACK, "timer slack, 1ns if not given; keep: as it is", "DURATION",
	  KIND_DURATION },
	{ "waits", WAITS, "waits that events end too: all, which is the default; ms: by no other system call; none",
	  "[all|ms|none]", KIND_WAITS },
	{ "coarse", COARSE, "fine: coarse clocks, which end time-outs late, are the fine ones; keep: they stay", "NAME",
	  KIND_COARSE },
	{ "exclude", EXCLUDE, "leave programs of this name alone, below CMD too; may be given again", "NAME",
	  KIND_NONE },
	{ "no-preload", NO_PRELOAD, "load no object: set timer slack, and what --slice says, alone", NULL, KIND_NONE },
	{ "strict", STRICT, "do not run CMD if something that was asked for cannot be had", NULL, KIND_NONE },
	{ "stats", STATS, "report what was served, on standard error or into FILE", "[FILE]", KIND_FILE },
	{ "json", JSON, "the report of --stats as one JSON object", NULL, KIND_NONE },
	{ "low-latency", LOW_LATENCY, "keep CPUs out of deep idle states until CMD ends; root only, as a rule", NULL,
	  KIND_NONE },
	{ "explain", EXPLAIN, "say on standard error what is set for CMD, and what limits spinning; then run it", NULL,
	  KIND_NONE },
	{ "slice", SLICE, "a time slice of 0.1 ms, for programs that compute little beside busy threads", NULL,
	  KIND_NONE },
	{ 0 },
};

const struct cmd cmd_run = {
	.name = "run",
	.args = "[--] CMD [ARG...]",
	.operands = KIND_PROGRAM,
	.help = "run a program, as it is, whose sleeps and waits end on time",
	.details = "Runs CMD with an object loaded into it and into the programs that it starts. The\n"
		   "object serves their sleeps, which wait in the kernel until shortly before their\n"
		   "end and spin for the rest: nanosleep, clock_nanosleep, usleep, sleep, thrd_sleep,\n"
		   "and select, pselect, poll and ppoll without descriptors. It serves waits with a\n"
		   "time-out for descriptors, semaphores, condition variables and words in memory as\n"
		   "well, which events end as ever; --waits=none leaves those alone. Options end at CMD.\n\n"
		   "The object cannot be loaded into programs that are linked statically or with another C\n"
		   "library than glibc 2.28 or later, that are for another architecture, or that gain\n"
		   "privileges: these get timer slack, and a slice by --slice, alone; a message says so.\n\n"
		   "The exit status is CMD's; 125 if this command failed, 126 if CMD cannot be run, or\n"
		   "may not because of --strict, 127 if it was not found. If CMD was killed by a signal,\n"
		   "so is this command. See hpt-run(1).",
	.opts = opts,
	.run = run,
};
