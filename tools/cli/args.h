/* SPDX-License-Identifier: MIT */
/* Options and help of a command, both from its table of options. */
#ifndef HPT_TOOLS_ARGS_H
#define HPT_TOOLS_ARGS_H

#include <stdbool.h>

#include "cli/cmd.h"

/* Options that several commands have. */
#define OPT_JSON   { "json", 'j', "one JSON object instead of a table", NULL, KIND_NONE }
#define OPT_SOURCE { "source", 's', "by a clock on this source: tsc, hpet, os, arch or mmio", "NAME", \
			 KIND_SOURCE }

/* Results of args_next() besides letters. */
#define ARGS_END   (-1)     /* operands begin at optind */
#define ARGS_WRONG (-2)     /* reported on stderr: exit 2 */
#define ARGS_HELP  (-3)     /* printed the help: exit 0 */

int args_next(const struct cmd *cmd, int argc, char *argv[]);

/* All options, without a value: a mask of 1 << index in cmd->opts, or ARGS_WRONG, ARGS_HELP. */
int args_flags(const struct cmd *cmd, int argc, char *argv[]);

/* Reports argv[optind] as one operand too many. Returns EXIT_USAGE. */
int args_surplus(const struct cmd *cmd, char *argv[]);

/* Reports wrong usage, as one sentence. Returns EXIT_USAGE. */
int args_usage(const struct cmd *cmd, const char *what);

/* The exit status for ARGS_WRONG or ARGS_HELP. */
int args_exit(int result);

/* The last word of a command's name: "read" of "bench read". */
const char *args_word(const struct cmd *cmd);

/* False: the option takes no value, or one that may be left out. */
bool args_needs_value(const struct opt *o);

/* Prints 'hpt help COMMAND' on stdout. */
void args_help(const struct cmd *cmd);

#endif
