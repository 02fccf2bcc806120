// SPDX-License-Identifier: MIT
/* hpt info: the default clock, the reason for the choice, its quality and the cost of a read. */
#include <getopt.h>
#include <stdlib.h>

#include "args.h"
#include "cmd.h"
#include "err.h"
#include "machine.h"
#include "out.h"

static int run(const struct hpt_cmd *cmd, int argc, char *argv[])
{
	int flags = hpt_args_flags(cmd, argc, argv);
	struct hpt_machine info = { 0 };

	if (flags < 0)
		return hpt_args_exit(flags);
	if (optind < argc)
		return hpt_args_surplus(cmd, argv);
	if (!hpt_machine_get(&info)) {
		hpt_err("the library found at run time is older than this command");
		return EXIT_FAILURE;
	}
	if (flags)
		hpt_json_print(hpt_machine_json(&info));
	else
		hpt_table_print(hpt_machine_table(&info));
	return EXIT_SUCCESS;
}

static const struct hpt_opt opts[] = {
	{ "json", 'j', "one JSON object instead of a table", NULL },
	{ 0 },
};

const struct hpt_cmd hpt_cmd_info = {
	.name = "info",
	.args = "",
	.help = "the default clock: its counter, the reason, its quality, the cost of a read",
	.details = "Shows the default clock of this process: the source that was chosen and why, its\n"
		   "frequency, the cost of a read, the value of HPT_SOURCE, and facts about the\n"
		   "kernel and the processor.",
	.opts = opts,
	.run = run,
};
