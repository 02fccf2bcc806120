// SPDX-License-Identifier: MIT
/* The command hpt: its table of commands. */
#include <stddef.h>

#include "bench/cmd_bench.h"
#include "check/cmd_check.h"
#include "cli/cmd.h"
#include "cli/front.h"
#include "convert/cmd_convert.h"
#include "info/cmd_cpu.h"
#include "info/cmd_info.h"
#include "info/cmd_now.h"
#include "info/cmd_sources.h"
#include "run/cmd_doctor.h"
#include "run/cmd_run.h"
#include "sleep/cmd_sleep.h"
#include "trace/cmd_trace.h"
#include "wall/cmd_wall.h"

static const struct opt no_opts[] = { { 0 } };

/* More than half of the command's text: an executable of its own, which few machines need. */
static const struct cmd bench = {
	.name = "bench",
	.args = "",
	.help = BENCH_HELP,
	.opts = no_opts,
	.program = "hpt-bench",
};

static const struct cmd *const cmds[] = {
	&cmd_info, &cmd_sources, &cmd_cpu, &cmd_now, &cmd_convert, &cmd_trace,
	&cmd_check, &cmd_sleep, &cmd_run, &cmd_doctor, &cmd_wall, &bench, &cmd_help, NULL,
};

int main(int argc, char *argv[])
{
	return front_run(cmds, argc, argv);
}
