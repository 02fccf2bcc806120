/* SPDX-License-Identifier: MIT */
/* The command "hpt now". */
#ifndef HPT_TOOLS_CMD_NOW_H
#define HPT_TOOLS_CMD_NOW_H

#include "cli/cmd.h"

extern const struct cmd cmd_now;

#endif
