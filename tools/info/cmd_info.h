/* SPDX-License-Identifier: MIT */
/* The command "hpt info". */
#ifndef HPT_TOOLS_CMD_INFO_H
#define HPT_TOOLS_CMD_INFO_H

#include "cli/cmd.h"

extern const struct cmd cmd_info;

#endif
