/* SPDX-License-Identifier: MIT */
/* The command "hpt wall". */
#ifndef HPT_TOOLS_CMD_WALL_H
#define HPT_TOOLS_CMD_WALL_H

#include "cli/cmd.h"

extern const struct cmd cmd_wall;

#endif
