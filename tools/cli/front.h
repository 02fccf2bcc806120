/* SPDX-License-Identifier: MIT */
/* A whole command line of hpt: options before the command, the command, help, completion. */
#ifndef HPT_TOOLS_FRONT_H
#define HPT_TOOLS_FRONT_H

#include "cli/cmd.h"

/* The command "help", for the table. */
extern const struct cmd cmd_help;

/* Runs the command that the arguments of main() name. @table ends with NULL. Returns the exit status. */
int front_run(const struct cmd *const *table, int argc, char *argv[]);

#endif
