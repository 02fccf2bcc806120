/* SPDX-License-Identifier: MIT */
/* Options and help of a command, both from its table of options. */
#ifndef HPT_TOOLS_ARGS_H
#define HPT_TOOLS_ARGS_H

#include <stdbool.h>

#include "cli/cmd.h"

/* Options that several commands have. */
#define HPT_OPT_JSON   { "json", 'j', "one JSON object instead of a table", NULL, HPT_KIND_NONE }
#define HPT_OPT_SOURCE { "source", 's', "by a clock on this source: tsc, hpet, os, arch or mmio", "NAME", \
			 HPT_KIND_SOURCE }

/* Results of hpt_args_next() besides letters. */
#define HPT_ARGS_END   (-1)     /* operands begin at optind */
#define HPT_ARGS_WRONG (-2)     /* reported on stderr: exit 2 */
#define HPT_ARGS_HELP  (-3)     /* printed the help: exit 0 */

int hpt_args_next(const struct hpt_cmd *cmd, int argc, char *argv[]);

/* All options, without a value: a mask of 1 << index in cmd->opts, or HPT_ARGS_WRONG, HPT_ARGS_HELP. */
int hpt_args_flags(const struct hpt_cmd *cmd, int argc, char *argv[]);

/* Reports argv[optind] as one operand too many. Returns HPT_EXIT_USAGE. */
int hpt_args_surplus(const struct hpt_cmd *cmd, char *argv[]);

/* Reports wrong usage, as one sentence. Returns HPT_EXIT_USAGE. */
int hpt_args_usage(const struct hpt_cmd *cmd, const char *what);

/* The exit status for HPT_ARGS_WRONG or HPT_ARGS_HELP. */
int hpt_args_exit(int result);

/* The last word of a command's name: "read" of "bench read". */
const char *hpt_args_word(const struct hpt_cmd *cmd);

/* False: the option takes no value, or one that may be left out. */
bool hpt_args_needs_value(const struct hpt_opt *o);

/* Prints 'hpt help COMMAND' on stdout. */
void hpt_args_help(const struct hpt_cmd *cmd);

#endif
