/* SPDX-License-Identifier: MIT */
/* The command "hpt sleep". */
#ifndef HPT_TOOLS_CMD_SLEEP_H
#define HPT_TOOLS_CMD_SLEEP_H

#include "cli/cmd.h"

extern const struct cmd cmd_sleep;

#endif
