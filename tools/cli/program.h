/* SPDX-License-Identifier: MIT */
/* Commands that are executables of their own: cmd.program. */
#ifndef HPT_TOOLS_PROGRAM_H
#define HPT_TOOLS_PROGRAM_H

#include <stdbool.h>

#include "cli/cmd.h"

bool program_is_there(const struct cmd *cmd);

/*
 * Becomes the command's executable, with the arguments of main() as they are: it parses the whole command line. Returns
 * if it cannot, with a message on stderr: EXIT_NOT_FOUND or EXIT_NOT_RUN.
 */
int program_become(const struct cmd *cmd, char *argv[]);

#endif
