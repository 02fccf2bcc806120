// SPDX-License-Identifier: MIT
/*
 * The program that "hpt bench" becomes: hpt with another table of commands. Its arguments are those of hpt, so that
 * help, completion and wrong usage come out of one table too.
 */
#include <stddef.h>

#include "bench/cmd_bench.h"
#include "cli/cmd.h"
#include "cli/front.h"

static const struct cmd *const cmds[] = { &cmd_bench, &cmd_help, NULL };

int main(int argc, char *argv[])
{
	return front_run(cmds, argc, argv);
}
