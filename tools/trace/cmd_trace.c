// SPDX-License-Identifier: MIT
/* hpt trace merge: traces of several processes and machines on one line. */
#include "trace/cmd_trace.h"

#include <getopt.h>
#include <stddef.h>

#include "cli/args.h"
#include "cli/take.h"
#include "trace/merge.h"
#include "trace/walls.h"

/* Options without a letter. */
enum { TO = 256, OUTPUT, RATE };

/* What is wrong, or NULL. */
static const char *check(const char *format, struct merge *ret)
{
	if (!format)
		return "--to is missing";
	ret->to = encoder_find(format);
	if (!ret->to)
		return "--to is one of perfetto, chrome, ctf, otlp";
	if ((ret->to->needs_folder || ret->to == &encoder_perfetto) != (ret->folder != NULL))
		return ret->folder ? "--output is for perfetto and ctf: other formats go to standard output" :
				     "this format is a folder of files: --output says which";
	if (ret->folder && !*ret->folder)
		return "the name of the folder is empty";
	return ret->n ? NULL : "a file is missing";
}

static int run_merge(const struct cmd *cmd, int argc, char *argv[])
{
	struct merge job = { .what = cmd->name, .rate_ppb = WALLS_RATE_PPB };
	const char *format = NULL, *fault;
	int c;

	while ((c = args_next(cmd, argc, argv)) > 0)
		if (c != RATE)
			*(c == TO ? &format : &job.folder) = optarg;
		else if (!take_rate(cmd, optarg, &job.rate_ppb))
			return EXIT_USAGE;
	if (c != ARGS_END)
		return args_exit(c);
	job.paths = argv + optind;
	job.n = (size_t)(argc - optind);
	fault = check(format, &job);
	return fault ? args_usage(cmd, fault) : merge_run(&job);
}

static const struct opt merge_opts[] = {
	{ "to", TO, "the format: perfetto, chrome, ctf or otlp", "FORMAT", KIND_FORMAT },
	{ "output", OUTPUT, "of perfetto and ctf: the folder that is written", "FOLDER", KIND_FOLDER },
	{ "rate", RATE, "how wrong the clocks' rates may be; 50ppm if not given", "RATE", KIND_NUMBER },
	{ 0 },
};

static const struct cmd merge_cmd = {
	.name = "trace merge",
	.args = "--to=FORMAT FILE...",
	.operands = KIND_FILE,
	.help = "traces of several processes and machines on one line",
	.details = "Each FILE has the lines of 'hpt help convert', and lines of what a wall stated:\n\n"
		   "            TICK =EARLIEST LATEST [GENERATION]\n\n"
		   "UTC was in this interval of Unix nanoseconds at that tick. FILE.timebase has the\n"
		   "time bases of FILE. The times of all events become UTC, each with the bound by\n"
		   "which it may be off: hpt_traces(7). What has no bound, or is left out, is reported,\n"
		   "and the exit status is 1.",
	.opts = merge_opts,
	.run = run_merge,
};

static const struct cmd *const subs[] = { &merge_cmd, NULL };

static int run(const struct cmd *cmd, int argc, char *argv[])
{
	int c = args_next(cmd, argc, argv);

	if (c != ARGS_END)
		return args_exit(c);
	return optind < argc ? args_surplus(cmd, argv) : args_usage(cmd, "merge is missing");
}

static const struct opt opts[] = { { 0 } };

const struct cmd cmd_trace = {
	.name = "trace",
	.args = "merge ...",
	.help = "traces of several processes and machines",
	.details = "merge puts them on one line: see 'hpt help trace merge'.",
	.opts = opts,
	.run = run,
	.subs = subs,
};
