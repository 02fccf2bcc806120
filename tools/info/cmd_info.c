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

/* Returns HPT_ARGS_END if all options are sound. */
static int take_options(const struct hpt_cmd *cmd, int argc, char *argv[], struct request *ret)
{
	int c;

	while ((c = hpt_args_next(cmd, argc, argv)) > 0) {
		if (c == 's' && !hpt_take_source(cmd, optarg, &ret->source))
			return HPT_ARGS_WRONG;
		ret->json |= c == 'j';
	}
	return c;
}

static int run(const struct hpt_cmd *cmd, int argc, char *argv[])
{
	struct request request = { 0 };
	struct hpt_machine info = { 0 };
	int r = take_options(cmd, argc, argv, &request);

	if (r != HPT_ARGS_END)
		return hpt_args_exit(r);
	if (optind < argc)
		return hpt_args_surplus(cmd, argv);
	if (!hpt_take_default(cmd, request.source))
		return EXIT_FAILURE;
	if (!hpt_machine_get(&info)) {
		hpt_err("the library found at run time is older than this command");
		return EXIT_FAILURE;
	}
	if (request.json)
		hpt_json_print(hpt_machine_json(&info));
	else
		hpt_table_print(hpt_machine_table(&info));
	return EXIT_SUCCESS;
}

static const struct hpt_opt opts[] = { HPT_OPT_JSON, HPT_OPT_SOURCE, { 0 } };

const struct hpt_cmd hpt_cmd_info = {
	.name = "info",
	.args = "",
	.help = "the default clock: its counter, the reason, its quality, its cost",
	.details = "Shows the default clock of this process: the source that was chosen and why, its\n"
		   "frequency, the cost of a read, the value of HPT_SOURCE, and facts about the\n"
		   "kernel and the processor. With --source a clock on that one.",
	.opts = opts,
	.run = run,
};
