// SPDX-License-Identifier: MIT
/* hpt info: the default clock, the reason for the choice, its quality and the cost of a read. */
#include "info/cmd_info.h"

#include <getopt.h>
#include <stdlib.h>

#include "cli/args.h"
#include "cli/cmd.h"
#include "cli/err.h"
#include "info/machine.h"
#include "cli/out.h"
#include "cli/take.h"

struct request {
	bool json;
	uint32_t source;
};

/* Returns ARGS_END if all options are sound. */
static int take_options(const struct cmd *cmd, int argc, char *argv[], struct request *ret)
{
	int c;

	while ((c = take_next(cmd, argc, argv, &ret->source)) > 0)
		ret->json = true;
	return c;
}

static int run(const struct cmd *cmd, int argc, char *argv[])
{
	struct request request = { 0 };
	struct machine info = { 0 };
	int r = take_options(cmd, argc, argv, &request);

	if (r != ARGS_END)
		return args_exit(r);
	if (optind < argc)
		return args_surplus(cmd, argv);
	if (!take_default(cmd, request.source))
		return EXIT_FAILURE;
	if (!machine_get(&info)) {
		err_print("the library found at run time is older than this command");
		return EXIT_FAILURE;
	}
	if (request.json)
		out_json_print(machine_json(&info));
	else
		out_table_print(machine_table(&info));
	return EXIT_SUCCESS;
}

static const struct opt opts[] = { OPT_JSON, OPT_SOURCE, { 0 } };

const struct cmd cmd_info = {
	.name = "info",
	.args = "",
	.help = "the default clock: its counter, the reason, its quality, its cost",
	.details = "Shows the default clock of this process: the source that was chosen and why, its\n"
		   "frequency, the cost of a read, the value of HPT_SOURCE, and facts about the\n"
		   "kernel and the processor. With --source a clock on that one.",
	.opts = opts,
	.run = run,
};
