// SPDX-License-Identifier: MIT
/* hpt doctor: runs a program as it is, and says why its waits end late. */
#include "run/cmd_doctor.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "hpt/hpt.h"

#include "cli/args.h"
#include "cli/cmd.h"
#include "cli/take.h"
#include "run/diagnosis_file.h"
#include "run/diagnosis_report.h"
#include "run/launch.h"
#include "run/reported.h"

/* Where the timer slack is as Linux sets it, waits end later than this by it. */
#define LATE_NS 50000

struct request {
	int64_t late_ns;
	bool is_json;
	const char *file;       /* of the report; NULL: standard error */
};

enum { JSON = 'j', LATE = 256, OUTPUT };

static bool take_option(const struct cmd *cmd, int letter, struct request *r)
{
	switch (letter) {
	case LATE:
		return take_duration(cmd, optarg, 0, TAKE_ANY, &r->late_ns);
	case OUTPUT:
		r->file = optarg;
		if (!*optarg)
			args_usage(cmd, "--output has an empty name of a file");
		return *optarg;
	default:
		r->is_json = true;
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
	if (c == ARGS_END && optind == argc)
		return args_usage(cmd, "a command is missing"), ARGS_WRONG;
	return c;
}

static void print_causes(const void *counts, const struct watched *w, const char *program, FILE *to)
{
	diagnosis_print(counts, w, program, to);
}

static void print_causes_json(const void *counts, const struct watched *w, const char *program, FILE *to)
{
	diagnosis_print_json(counts, w, program, to);
}

/* All waits are watched, and nothing of the thread is changed. */
static void prepare(const struct cmd *cmd, const char *program)
{
	struct launch l = {
		.name = cmd->name, .policy = HPT_SLEEP_NOSPIN, .least_ns = 1, .waits = HPT_RUN_WAITS_ALL,
		.is_loaded = true,
	};
	struct launched done;

	(void)launch_prepare(&l, program, &done);
	launched_clear(&done);
}

static int doctor(const struct cmd *cmd, int argc, char *argv[])
{
	struct request r = { .late_ns = LATE_NS };
	struct reported held = { 0 };
	int c = take_options(cmd, argc, argv, &r);

	if (c != ARGS_END)
		return c == ARGS_HELP ? EXIT_SUCCESS : EXIT_OWN;
	held.print = r.is_json ? print_causes_json : print_causes;
	if (!reported_open(cmd, r.file, &held) || !reported_hold(cmd, diagnosis_file_new(r.late_ns), &held))
		return EXIT_OWN;
	prepare(cmd, argv[optind]);
	return reported_run(cmd, argv + optind, &held);
}

static const struct opt opts[] = {
	{ "late", LATE, "waits that end later than this are late; 50us if not given", "DURATION", KIND_DURATION },
	{ "output", OUTPUT, "the report into FILE, not on standard error", "FILE", KIND_FILE },
	{ "json", JSON, "the report as one JSON object", NULL, KIND_NONE },
	{ 0 },
};

const struct cmd cmd_doctor = {
	.name = "doctor",
	.args = "[--] CMD [ARG...]",
	.operands = KIND_PROGRAM,
	.help = "say why the sleeps and waits of a program end late",
	.details = "Runs CMD as it is, with an object loaded into it and into the programs that it starts.\n"
		   "The object looks when each sleep, and each wait with a time-out, ends, and where that\n"
		   "is late it reads what the kernel shows a process of itself. When CMD has ended, the\n"
		   "report names the causes and what helps: timer slack, idle states, other threads, a\n"
		   "quota, the host, a stop, a suspend, timers without high resolution, or unknown.\n\n"
		   "The object cannot be loaded into the programs that \"hpt run\" cannot reach either.\n\n"
		   "The exit status is CMD's, or as that of \"hpt run\". See hpt-doctor(1).",
	.opts = opts,
	.run = doctor,
};
