/* SPDX-License-Identifier: MIT */
/* The command "hpt run". */
#ifndef HPT_TOOLS_CMD_RUN_H
#define HPT_TOOLS_CMD_RUN_H

#include "cli/cmd.h"

extern const struct cmd cmd_run;

#endif
